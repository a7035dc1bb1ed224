/// A hash of a take's contents that grows fragment by fragment: over each fragment's length, time and hash.
///
/// The list of these tells which fragment was changed; and if this hash matches, none was.
package struct ContentHash: BitwiseCopyable, Sendable {
  /// The size of the whole fragments.
  package private(set) var byteCount: UInt64 = 0
  private var list = RunningHash()
  private var fragment = RunningHash()
  private var fragmentByteCount = 0

  /// The hash of no fragments.
  package init() {}

  /// Discards what came after the last whole fragment.
  package mutating func beginFragment() {
    fragment = RunningHash()
    fragmentByteCount = 0
  }

  /// Adds a piece of a fragment.
  package mutating func add(_ bytes: RawSpan) {
    fragment.add(bytes)
    fragmentByteCount += bytes.byteCount
  }

  /// Call when the pieces added form a whole fragment, of less than 4 GiB.
  /// - Parameter milliseconds: when it ends, since the file's first instant.
  package mutating func endFragment(atMilliseconds milliseconds: UInt32) -> FragmentHash {
    let ended = FragmentHash(
      byteCount: UInt32(fragmentByteCount), endMilliseconds: milliseconds, digestStart: fragment.digest.start)
    list.add(big64: ended.firstWord)
    list.add(fragment.digest)
    byteCount += UInt64(fragmentByteCount)
    beginFragment()
    return ended
  }

  /// The hash of all whole fragments.
  package var digest: Digest { list.digest }
}

/// The part of a fragment's hash stored in a take: enough to tell whether that fragment was damaged.
package struct FragmentHash: BitwiseCopyable, Equatable, Sendable {
  /// The size of the fragment.
  package let byteCount: UInt32
  /// When it ends, since the file's first instant.
  package let endMilliseconds: UInt32
  /// The first 64 bits of its hash.
  package let digestStart: UInt64

  /// The length of ``bytes``.
  package static var byteCount: Int { 16 }

  init(byteCount: UInt32, endMilliseconds: UInt32, digestStart: UInt64) {
    self.byteCount = byteCount
    self.endMilliseconds = endMilliseconds
    self.digestStart = digestStart
  }

  /// - Parameter bytes: in the form of ``bytes``, at least ``byteCount`` of them.
  package init(_ bytes: Span<UInt8>) {
    var words = InlineArray<2, UInt64>(repeating: 0)
    for index in 0..<Self.byteCount { words[index / 8] = words[index / 8] << 8 | UInt64(bytes[index]) }
    byteCount = UInt32(truncatingIfNeeded: words[0] >> 32)
    endMilliseconds = UInt32(truncatingIfNeeded: words[0])
    digestStart = words[1]
  }

  /// The form stored in a file: length and time of 4 bytes each, and 8 bytes of the hash, each big-endian.
  package var bytes: InlineArray<16, UInt8> {
    InlineArray { index in
      UInt8(truncatingIfNeeded: (index < 8 ? firstWord : digestStart) >> UInt64(56 - index % 8 * 8))
    }
  }

  fileprivate var firstWord: UInt64 { UInt64(byteCount) << 32 | UInt64(endMilliseconds) }
}
