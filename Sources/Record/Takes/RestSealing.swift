import Base
import Machine
import Media

/// Seals what a finished file contains besides its content, such as its tables and its date, and what an interrupted
/// take had after its last seal. The line for this seal is in the ledger, and is located there.
struct RestSealing {
  private var occasion: RestSeal.Occasion
  private var phase: Phase
  /// The part of the file that is still to be written after sealing.
  private let change: FrontChange?

  private enum Phase {
    /// Locates the file's tables and its ledger.
    case beginning
    /// Searches for the seals from this offset.
    case searching(from: UInt64)
    case hashing(RestHash, lineOffset: UInt64)
    /// There is a seal, or there is no line for one.
    case ended
  }

  /// A file's ledger begins within this many bytes of its end: `LedgerCoding.codedByteCount`, and the boxes around it.
  static var tailByteCount: UInt64 { 66_048 }

  /// - Parameter change: the part of a movie that is written later.
  init(_ occasion: RestSeal.Occasion, before change: FrontChange? = nil) {
    self.occasion = occasion
    self.change = change
    phase = .beginning
  }

  /// Reads a piece, or writes the line.
  /// - Parameter scratch: longer than a ledger.
  /// - Returns: whether nothing remains to be done.
  mutating func step(
    _ file: inout StoredFile, scratch: inout MutableRawSpan, key: SigningKey
  ) throws(DeviceFailure) -> Bool {
    switch phase {
    case .beginning: phase = try begin(&file, &scratch)
    case .searching(let start): phase = try search(&file, &scratch, from: start)
    case .hashing(let hash, let lineOffset): phase = try add(to: hash, &file, &scratch, lineOffset: lineOffset, key)
    case .ended: break
    }
    if case .ended = phase { return true }
    return false
  }

  /// Removes a seal whose subject is about to change. A power cut before the next seal leaves the file without one.
  /// - Returns: whether there was one, which ``step(_:scratch:key:)`` then makes again.
  mutating func breakSeal(
    of file: inout StoredFile, scratch: inout MutableRawSpan
  ) throws(DeviceFailure) -> Bool {
    phase = try begin(&file, &scratch)
    while case .searching(let start) = phase {
      phase = try search(&file, &scratch, from: start, isKept: false)
    }
    guard case .hashing(_, let lineOffset) = phase else { return false }
    let blank = RestSeal.blankLine
    try unsafe file.write(blank.bytes.bytes, at: lineOffset)
    try file.synchronise()
    return true
  }

  private func begin(
    _ file: inout StoredFile, _ scratch: inout MutableRawSpan
  ) throws(DeviceFailure) -> Phase {
    var room = scratch._mutatingExtracting(first: ClosingPlace.frontByteCount)
    let byteCount = try file.read(at: 0, into: &room)
    let front = room.bytes.extracting(first: byteCount)
    if let start = change?.moovStart {
      return .searching(from: max(start, file.byteCount - min(file.byteCount, Self.tailByteCount)))
    }
    let place = ClosingPlace.ledger(
      front: front, fileByteCount: file.byteCount, tailByteCount: Self.tailByteCount)
    return place.map { .searching(from: $0.lowerBound) } ?? .ended
  }

  /// - Parameter isKept: whether an existing seal stays; otherwise an existing one is sought.
  private mutating func search(
    _ file: inout StoredFile, _ scratch: inout MutableRawSpan, from start: UInt64, isKept: Bool = true
  ) throws(DeviceFailure) -> Phase {
    let byteCount = try file.read(at: start, into: &scratch)
    guard let offset = scratch.text(byteCount).firstSeal else {
      guard byteCount == scratch.byteCount else { return .ended }
      // A line whose beginning is incomplete in this piece is in the next one.
      return .searching(from: start + UInt64(byteCount - Seal.lineStart.utf8CodeUnitCount))
    }
    guard offset == 1 || start + UInt64(byteCount) == file.byteCount else {
      return .searching(from: start + UInt64(offset - 1))
    }
    let seals = FoundSeals(scratch.text(byteCount).extracting(droppingFirst: offset))
    guard let restOffset = seals.restOffset else { return .ended }
    let isSealed = seals.rest?.isSigned == true
    guard isSealed != isKept else { return .ended }
    if let rest = seals.rest, isSealed { occasion = rest.seal.occasion }
    let lineOffset = start + UInt64(offset + restOffset)
    let content = seals.content?.isSigned == true ? seals.content?.seal.content : nil
    guard let hash = RestHash(content: content ?? 0..<0, lineStart: lineOffset, byteCount: file.byteCount) else {
      return .ended
    }
    return .hashing(hash, lineOffset: lineOffset)
  }

  private func add(
    to hash: RestHash, _ file: inout StoredFile, _ scratch: inout MutableRawSpan, lineOffset: UInt64, _ key: SigningKey
  ) throws(DeviceFailure) -> Phase {
    var hash = hash
    if let range = hash.next(atMost: scratch.byteCount) {
      var room = scratch._mutatingExtracting(first: range.count)
      let byteCount = try file.read(at: range.lowerBound, into: &room)
      guard byteCount == range.count else { return .ended }
      change?.apply(to: &room, at: range.lowerBound)
      hash.add(room.bytes)
      return .hashing(hash, lineOffset: lineOffset)
    }
    let seal = RestSeal(occasion, byteCount: hash.byteCount, hash: hash.digest)
    try unsafe file.write(seal.line(signedBy: key).bytes.bytes, at: lineOffset)
    try file.synchronise()
    return .ended
  }
}

extension MutableRawSpan {
  /// The first bytes, which are text.
  @_lifetime(borrow self)
  fileprivate func text(_ byteCount: Int) -> Span<UInt8> {
    // Safe: every bit pattern is a byte.
    unsafe bytes.extracting(first: byteCount)._unsafeView(as: UInt8.self)
  }
}
