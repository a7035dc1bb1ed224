import Base
import Machine
import Media
import Record

/// Reads from a take at an offset into a buffer, and returns the byte count, which is smaller only at the take's end.
typealias TakeRead = (_ path: FixedText<128>, _ offset: UInt64, _ buffer: inout FixedBuffer) throws(DeviceFailure) ->
  Int

/// Compares a take with its seals: all that this or another device has recorded is still there, and nothing else is.
///
/// The seals are lines of text in the take's ledger, which every file format has near its end. Before it is the list of
/// hashes of the take's fragments, which locates damage.
package struct TakeVerification {
  let path: FixedText<128>
  private let ownKey: KeyBytes
  private let byteCount: UInt64
  private var phase: Phase

  private enum Phase {
    /// Locates the file's tables and its ledger.
    case beginning
    /// Searches for the seals from this offset.
    case searching(from: UInt64)
    /// Reads the take's content.
    case comparing(FoundSeals, LedgerVerdict, ContentComparison, rest: RestHash?)
    /// Reads the bytes outside the content.
    case hashing(FoundSeal?, FoundRestSeal, LedgerVerdict, RestHash, doneByteCount: UInt64)
  }

  /// The result of checking the ledger's entries.
  private enum LedgerVerdict {
    case whole(isEnded: Bool)
    case missing
    case changed
  }

  /// Size of the buffer that it reads into.
  package static var bufferByteCount: Int { KeeperLimits.verificationByteCount }

  /// - Parameters:
  ///   - byteCount: of the file.
  ///   - ownKey: this device's public key.
  init(_ path: FixedText<128>, byteCount: UInt64, ownKey: KeyBytes) {
    self.path = path
    self.ownKey = ownKey
    self.byteCount = byteCount
    phase = .beginning
  }

  /// The progress so far.
  var progress: VerificationProgress {
    switch phase {
    case .beginning, .searching: VerificationProgress(byteCount: 0, of: byteCount)
    case .comparing(_, _, let comparison, _): VerificationProgress(byteCount: comparison.byteCount, of: byteCount)
    case .hashing(_, _, _, _, let done): VerificationProgress(byteCount: done, of: byteCount)
    }
  }

  /// Reads the next piece.
  /// - Parameter read: reads from the card or from a copy.
  /// - Returns: the verdict; nil while there is more to read.
  mutating func step(
    _ buffer: inout FixedBuffer, _ read: TakeRead
  ) throws(DeviceFailure) -> SealVerdict? {
    switch phase {
    case .beginning:
      let readByteCount = try read(path, 0, &buffer)
      let front = buffer.bytes.extracting(first: readByteCount)
      let tailByteCount = UInt64(KeeperLimits.ledgerTailByteCount)
      let ledger = ClosingPlace.ledger(front: front, fileByteCount: byteCount, tailByteCount: tailByteCount)
      phase = .searching(from: ledger?.lowerBound ?? byteCount - min(byteCount, tailByteCount))
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
      // A seal that begins in this piece is complete in the next one.
      phase = .searching(from: start + UInt64(Self.bufferByteCount - Seal.lineByteCount))
      return nil
    }
    return try begin(&buffer, sealOffset: start + UInt64(found), read)
  }

  /// Reads the whole ledger again, including the seals and the two lines before them.
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
    // Damage to the ledger alone is reported as such, although the ledger is part of the rest.
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

/// How much of a take has been compared with its seals.
package struct VerificationProgress: BitwiseCopyable, Sendable {
  /// Bytes compared so far.
  package let byteCount: UInt64
  package let fileByteCount: UInt64
  /// The take's number if several takes are compared; 0 for a single one.
  package internal(set) var number: UInt32 = 0

  init(byteCount: UInt64, of fileByteCount: UInt64) {
    self.byteCount = byteCount
    self.fileByteCount = fileByteCount
  }
}

/// The parts of a take that are as they were sealed.
package struct SealedParts: BitwiseCopyable, Sendable {
  /// Bytes sealed during recording; 0 if the take was interrupted before any were.
  package let contentByteCount: UInt64
  /// Where these bytes end in the file.
  package let contentEnd: UInt64
  /// Whether this device recorded it; if not, the one with ``key`` did.
  package let isOwn: Bool
  /// The public key of the recording device.
  package let key: KeyBytes
  /// Whether the bytes sealed during recording are the whole take; if not, it was interrupted.
  package let isEnded: Bool
  /// When all other bytes of the file were sealed; nil if they were not.
  package let rest: RestSeal.Occasion?
  /// The public key of the device that sealed those, if it is another one.
  package let restKey: KeyBytes?
}

/// The result of comparing a take with its seals.
package enum SealVerdict: BitwiseCopyable, Sendable {
  /// Every sealed byte is unchanged.
  case whole(SealedParts)
  /// There is no seal, or none that can be read.
  case notSealed
  /// A signature does not match the key.
  case forged
  /// Part of the content has changed since it was recorded.
  case damaged(ContentDamage)
  /// The list of hashes has changed, so the content cannot be compared.
  case hashesDamaged
  /// The file ends here, before its content does.
  case shortened(byteCount: UInt64)
  /// Sound and pictures are unchanged, but the ledger's entries are not.
  case ledgerChanged
  /// Sound and pictures are unchanged, but the ledger's last entries are missing.
  case ledgerShortened
  /// The bytes sealed during recording are unchanged, but the rest of the file is not.
  case restChanged
}

extension SealVerdict {
  /// Whether every sealed byte is unchanged.
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
  /// The start of a word's last occurrence; nil if there is none.
  fileprivate func lastStart(of word: StaticString) -> Int? {
    for index in indices.reversed() where extracting(droppingFirst: index).removingPrefix(word) != nil { return index }
    return nil
  }

  /// The last line, including its line ending.
  fileprivate var lastLine: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var start = Swift.max(count - 1, 0)
      while start > 0, self[start - 1] != UInt8(ascii: "\n") { start -= 1 }
      return extracting(droppingFirst: start)
    }
  }
}
