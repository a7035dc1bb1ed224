import Base
import Machine
import Media

/// Compares the content of a take with its seal, fragment by fragment.
struct ContentComparison {
  /// The result of a step.
  enum Outcome {
    case working
    case whole
    case differs(SealVerdict)
  }

  private let content: Range<UInt64>
  private let contentHash: Digest?
  private var hash = ContentHash()
  /// Where the list of fragments ends in the file, including what follows its entries.
  private let listEnd: UInt64
  /// The entries that remain; nil until their number is known.
  private var list: Range<UInt64>?
  private var fragment: FragmentHash?
  /// The start of the fragment, and the position up to which it has been read.
  private var fragmentStart: UInt64
  private var position: UInt64
  private var startMilliseconds: UInt32 = 0
  private var damage: ContentDamage?

  /// For a take without content.
  init() {
    content = 0..<0
    contentHash = nil
    listEnd = 0
    fragmentStart = 0
    position = 0
  }

  /// - Parameter listEnd: where the list of fragments ends in the file.
  init(_ seal: Seal, listEnd: UInt64) {
    content = seal.content
    contentHash = seal.contentHash
    self.listEnd = listEnd
    fragmentStart = content.lowerBound
    position = content.lowerBound
  }

  /// Bytes read so far.
  var byteCount: UInt64 { position - content.lowerBound }

  /// Reads the next piece of a fragment.
  mutating func step(
    _ path: FixedText<128>, _ buffer: inout FixedBuffer, _ read: TakeRead
  ) throws(DeviceFailure) -> Outcome {
    guard let list else { return try findList(path, &buffer, read) }
    guard let fragment else { return try beginFragment(list, path, &buffer, read) }
    let end = fragmentStart + UInt64(fragment.byteCount)
    let readByteCount = try read(path, position, &buffer)
    guard readByteCount > 0 else { return .differs(.shortened(byteCount: position)) }
    let piece = Int(min(UInt64(readByteCount), end - position))
    hash.add(buffer.bytes.extracting(first: piece))
    position += UInt64(piece)
    if position == end { endFragment(fragment) }
    return .working
  }

  private mutating func findList(
    _ path: FixedText<128>, _ buffer: inout FixedBuffer, _ read: TakeRead
  ) throws(DeviceFailure) -> Outcome {
    let foot = UInt64(HashListCoding.footByteCount)
    let entry = UInt64(HashListCoding.entryByteCount)
    guard listEnd >= foot, try read(path, listEnd - foot, &buffer) >= HashListCoding.footByteCount,
      let count = HashListCoding.entryCount(foot: buffer.text(HashListCoding.footByteCount)),
      count <= HashListCoding.mostEntries, count * entry <= listEnd - foot
    else { return .differs(.hashesDamaged) }
    list = listEnd - foot - count * entry..<listEnd - foot
    return .working
  }

  private mutating func beginFragment(
    _ list: Range<UInt64>, _ path: FixedText<128>, _ buffer: inout FixedBuffer, _ read: TakeRead
  ) throws(DeviceFailure) -> Outcome {
    guard !list.isEmpty else { return end }
    let next = list.lowerBound
    guard try read(path, next, &buffer) >= FragmentHash.byteCount else {
      return .differs(.hashesDamaged)
    }
    let fragment = FragmentHash(buffer.text(FragmentHash.byteCount))
    guard fragment.byteCount > 0, UInt64(fragment.byteCount) <= content.upperBound - position else {
      return .differs(.hashesDamaged)
    }
    self.list = next + UInt64(FragmentHash.byteCount)..<list.upperBound
    self.fragment = fragment
    return .working
  }

  private mutating func endFragment(_ fragment: FragmentHash) {
    if hash.endFragment(atMilliseconds: fragment.endMilliseconds) != fragment {
      let place = ContentDamage(
        bytes: fragmentStart..<position, startMilliseconds: startMilliseconds, endMilliseconds: fragment.endMilliseconds
      )
      damage = damage?.adding(place) ?? place
    }
    startMilliseconds = fragment.endMilliseconds
    fragmentStart = position
    self.fragment = nil
  }

  private var end: Outcome {
    guard position == content.upperBound else { return .differs(.hashesDamaged) }
    guard let contentHash, hash.digest != contentHash else { return .whole }
    return .differs(damage.map { .damaged($0) } ?? .hashesDamaged)
  }
}

/// Where a take is damaged.
package struct ContentDamage: BitwiseCopyable, Sendable {
  /// Offset in the file at which the first damaged place starts.
  package let start: UInt64
  /// Offset at which it ends.
  package private(set) var end: UInt64
  /// Time at which it starts, from the first instant of the file.
  package let startMilliseconds: UInt32
  /// Time at which it ends.
  package private(set) var endMilliseconds: UInt32
  /// The number of further damaged places.
  package private(set) var furtherCount = 0
  /// Offset at which the last one ends.
  private var lastEnd: UInt64

  init(bytes: Range<UInt64>, startMilliseconds: UInt32, endMilliseconds: UInt32) {
    start = bytes.lowerBound
    end = bytes.upperBound
    self.startMilliseconds = startMilliseconds
    self.endMilliseconds = endMilliseconds
    lastEnd = bytes.upperBound
  }

  /// Adds another damaged place, or extends the last one.
  func adding(_ next: ContentDamage) -> ContentDamage {
    var all = self
    if lastEnd != next.start {
      all.furtherCount += 1
    } else if furtherCount == 0 {
      all.end = next.end
      all.endMilliseconds = next.endMilliseconds
    }
    all.lastEnd = next.end
    return all
  }
}
