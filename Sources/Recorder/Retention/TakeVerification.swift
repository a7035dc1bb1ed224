import Formats
import Port
import Rings
import Sealing
import Takes
import Text

/// Compares a take with its seal: what this device, or another, has recorded is still there, and nothing else is.
///
/// The seal is a line of text in the take's ledger, which every kind of file has near its end.
public struct TakeVerification {
  let ticket: RetentionTicket
  let path: FixedText<128>
  private let ownKey: KeyBytes
  private var phase: Phase
  private var tree = HashTree()

  private enum Phase {
    /// Looks for the seal from here on.
    case searching(from: UInt64, end: UInt64)
    /// Reads the take's content.
    case hashing(FoundSeal, entries: EntryVerdict, sealOffset: UInt64)
  }

  /// What became of the entries of the ledger.
  private enum EntryVerdict {
    case whole(isLast: Bool)
    case missing
    case changed
  }

  /// Bytes of the buffer that it reads into.
  public static var bufferByteCount: Int { RetentionLimits.verificationByteCount }

  /// - Parameters:
  ///   - byteCount: of the file.
  ///   - ownKey: this device's.
  init(_ ticket: RetentionTicket, _ path: FixedText<128>, byteCount: UInt64, ownKey: KeyBytes) {
    self.ticket = ticket
    self.path = path
    self.ownKey = ownKey
    let tail = UInt64(RetentionLimits.ledgerTailByteCount)
    phase = .searching(from: byteCount - min(byteCount, tail), end: byteCount)
  }

  /// Reads the next piece.
  /// - Returns: the verdict; nil while there is more to read.
  mutating func step(
    _ folders: inout some DayFolders & ~Copyable, _ buffer: inout FixedBuffer
  ) throws(DeviceFailure) -> SealVerdict? {
    switch phase {
    case .searching(let start, let end): return try search(&folders, &buffer, from: start, end: end)
    case .hashing(let found, let entries, let sealOffset):
      return try hash(&folders, &buffer, found, entries, sealOffset: sealOffset)
    }
  }

  private mutating func search(
    _ folders: inout some DayFolders & ~Copyable, _ buffer: inout FixedBuffer, from start: UInt64, end: UInt64
  ) throws(DeviceFailure) -> SealVerdict? {
    guard start < end else { return .notSealed }
    let byteCount = try folders.read(path, at: start, into: &buffer)
    guard let found = buffer.text(byteCount).firstLine(startingWith: Seal.lineStart) else {
      // A seal whose start is in this piece is whole in the next.
      let step = UInt64(Self.bufferByteCount - Seal.lineByteCount)
      phase = .searching(from: start + step, end: end)
      return nil
    }
    return try begin(&folders, &buffer, sealOffset: start + UInt64(found))
  }

  /// Reads the whole ledger anew, the seal and the two lines in front of it included.
  private mutating func begin(
    _ folders: inout some DayFolders & ~Copyable, _ buffer: inout FixedBuffer, sealOffset: UInt64
  ) throws(DeviceFailure) -> SealVerdict? {
    let start = sealOffset - min(sealOffset, UInt64(RetentionLimits.ledgerHeadByteCount))
    let byteCount = try folders.read(path, at: start, into: &buffer)
    let text = buffer.text(byteCount)
    let sealStart = Int(sealOffset - start)
    guard byteCount >= sealStart + Seal.lineByteCount,
      let found = FoundSeal(line: text.extracting(sealStart..<sealStart + Seal.lineByteCount - 1)),
      let headStart = text.extracting(first: sealStart).lastStart(of: Provenance.lineStart)
    else { return .notSealed }
    guard found.isSigned else { return .forged }
    let entries = Self.judge(
      found.seal, head: text.extracting(headStart..<sealStart),
      text.extracting(droppingFirst: sealStart + Seal.lineByteCount))
    phase = .hashing(found, entries: entries, sealOffset: sealOffset)
    return nil
  }

  private static func judge(_ seal: Seal, head: Span<UInt8>, _ text: Span<UInt8>) -> EntryVerdict {
    guard text.count >= seal.entryByteCount else { return .missing }
    var hash = RunningHash()
    let entries = text.extracting(first: seal.entryByteCount)
    unsafe hash.add(entries.bytes)
    unsafe hash.add(head.bytes)
    guard hash.digest == seal.entryHash else { return .changed }
    return .whole(isLast: entries.lastLine.removingPrefix(TakeEnding.lineStart) != nil)
  }

  private mutating func hash(
    _ folders: inout some DayFolders & ~Copyable, _ buffer: inout FixedBuffer, _ found: FoundSeal,
    _ entries: EntryVerdict, sealOffset: UInt64
  ) throws(DeviceFailure) -> SealVerdict? {
    let content = found.seal.content
    let position = content.lowerBound + tree.byteCount
    if position < content.upperBound {
      let byteCount = try folders.read(path, at: position, into: &buffer)
      guard byteCount > 0 else { return .shortened(byteCount: position) }
      tree.add(buffer.bytes.extracting(first: Int(min(UInt64(byteCount), content.upperBound - position))))
      return nil
    }
    guard tree.root == found.seal.contentHash else {
      let range = try damagedRange(&folders, &buffer, content, sealOffset: sealOffset)
      return .damaged(from: range.lowerBound, to: range.upperBound)
    }
    switch entries {
    case .changed: return .ledgerChanged
    case .missing: return .ledgerShortened
    case .whole(let isLast):
      return .whole(
        byteCount: content.upperBound - content.lowerBound, isOwn: found.key == ownKey, key: found.key,
        isEnded: isLast)
    }
  }

  /// The first part of the content that has another hash than the ledger says; all of it if the ledger says nothing.
  private func damagedRange(
    _ folders: inout some DayFolders & ~Copyable, _ buffer: inout FixedBuffer, _ content: Range<UInt64>,
    sealOffset: UInt64
  ) throws(DeviceFailure) -> Range<UInt64> {
    let byteCount = try folders.read(path, at: sealOffset, into: &buffer)
    let text = buffer.text(byteCount)
    guard text.firstLine(startingWith: HashTree.hashLineStart) != nil else { return content }
    for index in 0..<tree.nodeCount where !text.holds(tree.node(index).shortText) {
      let start = content.lowerBound + UInt64(index) * tree.nodeByteCount
      return start..<start + tree.nodeByteCount
    }
    return content.lowerBound + UInt64(tree.nodeCount) * tree.nodeByteCount..<content.upperBound
  }
}

/// What a comparison of a take with its seal has found.
public enum SealVerdict: BitwiseCopyable, Sendable {
  /// Every byte is as it was recorded.
  /// - `byteCount`: how many bytes that are.
  /// - `isOwn`: whether this device has recorded it, otherwise the one with `key`.
  /// - `isEnded`: whether that is all of the take; otherwise it was interrupted, and what was written after the last
  ///   seal, in ten seconds at most, is not sealed.
  case whole(byteCount: UInt64, isOwn: Bool, key: KeyBytes, isEnded: Bool)
  /// There is no seal, or none that can be read.
  case notSealed
  /// The signature is not the key's.
  case forged
  /// Something is not as it was recorded, from one byte of the file on, up to another, but without it.
  case damaged(from: UInt64, to: UInt64)
  /// The file ends here, before the content does.
  case shortened(byteCount: UInt64)
  /// Sound and pictures are whole, the ledger's entries are not as they were.
  case ledgerChanged
  /// Sound and pictures are whole, the last entries of the ledger are missing.
  case ledgerShortened
}

extension DayFolders where Self: ~Copyable {
  fileprivate mutating func read(
    _ path: FixedText<128>, at offset: UInt64, into buffer: inout FixedBuffer
  ) throws(DeviceFailure) -> Int {
    var space = buffer.mutableBytes
    return try read(path, at: offset, into: &space)
  }
}

extension Span<UInt8> {
  /// Where the first line begins that starts so; nil if there is none. The first byte begins none.
  fileprivate func firstLine(startingWith prefix: StaticString) -> Int? {
    let count = prefix.utf8CodeUnitCount
    guard self.count > count else { return nil }
    for index in 1...self.count - count where self[index - 1] == UInt8(ascii: "\n") {
      if extracting(index..<index + count).equals(prefix) { return index }
    }
    return nil
  }

  /// Where a word stands for the last time; nil if it does not.
  fileprivate func lastStart(of word: StaticString) -> Int? {
    for index in indices.reversed() where extracting(droppingFirst: index).removingPrefix(word) != nil { return index }
    return nil
  }

  /// The last line, with its end.
  fileprivate var lastLine: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var start = Swift.max(count - 1, 0)
      while start > 0, self[start - 1] != UInt8(ascii: "\n") { start -= 1 }
      return extracting(droppingFirst: start)
    }
  }

  fileprivate func holds(_ word: FixedText<16>) -> Bool {
    guard count >= 16 else { return false }
    for index in 0...count - 16 where extracting(index..<index + 16).equals(word.bytes) { return true }
    return false
  }
}
