import Base
import Machine
import Media
import Record

/// Reads a take from an offset on into a buffer, and returns how many bytes that were: less than fit only at its end.
typealias TakeRead = (_ path: FixedText<128>, _ offset: UInt64, _ buffer: inout FixedBuffer) throws(DeviceFailure) ->
  Int

/// Compares a take with its seals: what this device, or another, has recorded is still there, and nothing else is.
///
/// The seals are lines of text in the take's ledger, which every kind of file has near its end. In front of it is the
/// list of the hashes of the take's fragments, by which damage has a place.
package struct TakeVerification {
  let path: FixedText<128>
  private let ownKey: KeyBytes
  private let byteCount: UInt64
  private var phase: Phase

  private enum Phase {
    /// Finds out where the file has its tables and its ledger.
    case beginning
    /// Looks for the seals from here on.
    case searching(from: UInt64)
    /// Reads the take's content.
    case comparing(FoundSeals, LedgerVerdict, ContentComparison, rest: RestHash?)
    /// Reads what is not content.
    case hashing(FoundSeal?, FoundRestSeal, LedgerVerdict, RestHash, doneByteCount: UInt64)
  }

  /// What became of the entries of the ledger.
  private enum LedgerVerdict {
    case whole(isEnded: Bool)
    case missing
    case changed
  }

  /// Bytes of the buffer that it reads into.
  package static var bufferByteCount: Int { KeeperLimits.verificationByteCount }

  /// - Parameters:
  ///   - byteCount: of the file.
  ///   - ownKey: this device's.
  init(_ path: FixedText<128>, byteCount: UInt64, ownKey: KeyBytes) {
    self.path = path
    self.ownKey = ownKey
    self.byteCount = byteCount
    phase = .beginning
  }

  /// How far it has come.
  var progress: VerificationProgress {
    switch phase {
    case .beginning, .searching: VerificationProgress(byteCount: 0, of: byteCount)
    case .comparing(_, _, let comparison, _): VerificationProgress(byteCount: comparison.byteCount, of: byteCount)
    case .hashing(_, _, _, _, let done): VerificationProgress(byteCount: done, of: byteCount)
    }
  }

  /// Reads the next piece.
  /// - Parameter read: from the card, or from a copy.
  /// - Returns: the verdict; nil while there is more to read.
  mutating func step(
    _ buffer: inout FixedBuffer, _ read: TakeRead
  ) throws(DeviceFailure) -> SealVerdict? {
    switch phase {
    case .beginning:
      let readByteCount = try read(path, 0, &buffer)
      let front = buffer.bytes.extracting(first: readByteCount)
      let tail = byteCount - min(byteCount, UInt64(KeeperLimits.ledgerTailByteCount))
      phase = .searching(from: max(ClosingPlace.start(front: front, fileByteCount: byteCount) ?? 0, tail))
      return nil
    case .searching(let start): return try search(&buffer, from: start, read)
    case .comparing(let seals, let ledger, var comparison, let rest):
      let outcome = try comparison.step(path, &buffer, read)
      phase = .comparing(seals, ledger, comparison, rest: rest)
      switch outcome {
      case .working: return nil
      case .whole: return endContent(seals, ledger, comparison, rest)
      case .differs(let verdict): return verdict
      }
    case .hashing(let content, let seal, let ledger, var hash, let done):
      guard let range = hash.next(atMost: Self.bufferByteCount) else {
        let isWhole = hash.digest == seal.seal.hash && seal.seal.byteCount == byteCount
        return isWhole ? judge(content, ledger, seal) : .restChanged
      }
      let readByteCount = min(try read(path, range.lowerBound, &buffer), range.count)
      guard readByteCount > 0 else { return .shortened(byteCount: range.lowerBound) }
      hash.add(buffer.bytes.extracting(first: readByteCount))
      phase = .hashing(content, seal, ledger, hash, doneByteCount: done + UInt64(readByteCount))
      return nil
    }
  }

  private mutating func search(
    _ buffer: inout FixedBuffer, from start: UInt64, _ read: TakeRead
  ) throws(DeviceFailure) -> SealVerdict? {
    guard start < byteCount else { return .notSealed }
    let readByteCount = try read(path, start, &buffer)
    guard let found = buffer.text(readByteCount).firstSeal else {
      // A seal whose start is in this piece is whole in the next.
      phase = .searching(from: start + UInt64(Self.bufferByteCount - Seal.lineByteCount))
      return nil
    }
    return try begin(&buffer, sealOffset: start + UInt64(found), read)
  }

  /// Reads the whole ledger again, the seals and the two lines in front of them included.
  private mutating func begin(
    _ buffer: inout FixedBuffer, sealOffset: UInt64, _ read: TakeRead
  ) throws(DeviceFailure) -> SealVerdict? {
    let start = sealOffset - min(sealOffset, UInt64(KeeperLimits.ledgerHeadByteCount))
    let readByteCount = try read(path, start, &buffer)
    let text = buffer.text(readByteCount)
    let sealStart = Int(sealOffset - start)
    guard readByteCount > sealStart else { return .notSealed }
    let seals = FoundSeals(text.extracting(droppingFirst: sealStart))
    guard seals.content?.isSigned != false, seals.rest?.isSigned != false, !seals.isRestForeign else { return .forged }
    let range = seals.content?.seal.content ?? 0..<0
    let rest = seals.restOffset.flatMap { offset in
      RestHash(content: range, lineStart: sealOffset + UInt64(offset), byteCount: byteCount)
    }
    guard let content = seals.content else {
      guard seals.rest != nil else { return .notSealed }
      return endContent(seals, .whole(isEnded: false), ContentComparison(), rest)
    }
    guard let headStart = text.extracting(first: sealStart).lastStart(of: Provenance.lineStart) else {
      return .notSealed
    }
    let ledger = Self.judge(
      content.seal, head: text.extracting(headStart..<sealStart),
      text.extracting(droppingFirst: sealStart + Seal.lineByteCount))
    let before = UInt64(HashListCoding.byteCountBeforeText(in: AudioContainer(ofFile: path)))
    guard start + UInt64(headStart) >= before else { return .hashesDamaged }
    let comparison = ContentComparison(content.seal, listEnd: start + UInt64(headStart) - before)
    phase = .comparing(seals, ledger, comparison, rest: rest)
    return nil
  }

  private static func judge(_ seal: Seal, head: Span<UInt8>, _ text: Span<UInt8>) -> LedgerVerdict {
    guard text.count >= seal.entryByteCount else { return .missing }
    var hash = RunningHash()
    let entries = text.extracting(first: seal.entryByteCount)
    unsafe hash.add(entries.bytes)
    unsafe hash.add(head.bytes)
    guard hash.digest == seal.entryHash else { return .changed }
    return .whole(isEnded: entries.lastLine.removingPrefix(TakeEnding.lineStart) != nil)
  }

  private mutating func endContent(
    _ seals: FoundSeals, _ ledger: LedgerVerdict, _ comparison: ContentComparison, _ rest: RestHash?
  ) -> SealVerdict? {
    // What is wrong with the ledger alone is said of it, though it is a part of the rest.
    guard case .whole = ledger, let seal = seals.rest, let rest else { return judge(seals.content, ledger, nil) }
    phase = .hashing(seals.content, seal, ledger, rest, doneByteCount: comparison.byteCount)
    return nil
  }

  private func judge(_ content: FoundSeal?, _ ledger: LedgerVerdict, _ rest: FoundRestSeal?) -> SealVerdict {
    switch ledger {
    case .changed: return .ledgerChanged
    case .missing: return .ledgerShortened
    case .whole(let isEnded):
      let range = content?.seal.content ?? 0..<0
      guard let key = content?.key ?? rest?.key else { return .notSealed }
      return .whole(
        SealedParts(
          contentByteCount: range.upperBound - range.lowerBound, contentEnd: range.upperBound, isOwn: key == ownKey,
          key: key, isEnded: isEnded, rest: rest?.seal.occasion, restKey: rest?.key == key ? nil : rest?.key))
    }
  }
}

/// How much of a take was compared with its seals.
package struct VerificationProgress: BitwiseCopyable, Sendable {
  /// Bytes so far.
  package let byteCount: UInt64
  /// Bytes of the file.
  package let fileByteCount: UInt64
  /// Which take of several it is, from 1 on; 0 for a single one.
  package internal(set) var place: UInt32 = 0

  init(byteCount: UInt64, of fileByteCount: UInt64) {
    self.byteCount = byteCount
    self.fileByteCount = fileByteCount
  }
}

/// What of a take is as it was sealed.
package struct SealedParts: BitwiseCopyable, Sendable {
  /// Bytes that were sealed while they were recorded; 0 if it was interrupted before any were.
  package let contentByteCount: UInt64
  /// Where they end in the file.
  package let contentEnd: UInt64
  /// Whether this device has recorded it, otherwise the one with ``key``.
  package let isOwn: Bool
  /// Of the device that has recorded it.
  package let key: KeyBytes
  /// Whether what was sealed while it was recorded is all of the take; otherwise it was interrupted.
  package let isEnded: Bool
  /// When all other bytes of the file were sealed; nil if they are not.
  package let rest: RestSeal.Occasion?
  /// Of the device that has sealed these, if it is another.
  package let restKey: KeyBytes?
}

/// What a comparison of a take with its seals has found.
package enum SealVerdict: BitwiseCopyable, Sendable {
  /// Every byte that is sealed is as it was.
  case whole(SealedParts)
  /// There is no seal, or none that can be read.
  case notSealed
  /// A signature is not the key's.
  case forged
  /// Something is not as it was recorded.
  case damaged(ContentDamage)
  /// The list of its hashes is not as it was, so that the rest cannot be compared.
  case hashesDamaged
  /// The file ends here, before the content does.
  case shortened(byteCount: UInt64)
  /// Sound and pictures are whole, the ledger's entries are not as they were.
  case ledgerChanged
  /// Sound and pictures are whole, the last entries of the ledger are missing.
  case ledgerShortened
  /// What was sealed while it was recorded is whole, all the rest of the file is not as it was sealed.
  case restChanged
}

extension SealVerdict {
  /// Whether every byte that is sealed is as it was.
  package var isWhole: Bool { if case .whole = self { true } else { false } }
}

extension Storage {
  mutating func read(
    _ path: FixedText<128>, at offset: UInt64, into buffer: inout FixedBuffer
  ) throws(DeviceFailure) -> Int {
    var space = buffer.mutableBytes
    return try read(path, at: offset, into: &space)
  }
}

extension Span<UInt8> {
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
}
