/// A hash of what a take holds, which grows fragment by fragment: of each fragment's length, time and hash.
///
/// So whoever has these lists knows which fragment is not as it was; and all of them are as they were if this hash is.
package struct ContentHash: BitwiseCopyable, Sendable {
  /// Bytes of the whole fragments.
  package private(set) var byteCount: UInt64 = 0
  private var list = RunningHash()
  private var fragment = RunningHash()
  private var fragmentByteCount = 0

  /// Of nothing yet.
  package init() {}

  /// Forgets what came after the last whole fragment.
  package mutating func beginFragment() {
    fragment = RunningHash()
    fragmentByteCount = 0
  }

  /// Takes in a piece of a fragment.
  package mutating func add(_ bytes: RawSpan) {
    fragment.add(bytes)
    fragmentByteCount += bytes.byteCount
  }

  /// What was added is a whole fragment, of less than 4 GiB.
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

/// What a take has of a fragment's hash: enough to see whether it is the one that was damaged.
package struct FragmentHash: BitwiseCopyable, Equatable, Sendable {
  /// Of the fragment.
  package let byteCount: UInt32
  /// When it ends, since the file's first instant.
  package let endMilliseconds: UInt32
  /// The first 64 bits of its hash.
  package let digestStart: UInt64

  /// How many bytes ``bytes`` are.
  package static var byteCount: Int { 16 }

  init(byteCount: UInt32, endMilliseconds: UInt32, digestStart: UInt64) {
    self.byteCount = byteCount
    self.endMilliseconds = endMilliseconds
    self.digestStart = digestStart
  }

  /// - Parameter bytes: as ``bytes`` gave them, ``byteCount`` of them at least.
  package init(_ bytes: Span<UInt8>) {
    var words = InlineArray<2, UInt64>(repeating: 0)
    for index in 0..<Self.byteCount { words[index / 8] = words[index / 8] << 8 | UInt64(bytes[index]) }
    byteCount = UInt32(truncatingIfNeeded: words[0] >> 32)
    endMilliseconds = UInt32(truncatingIfNeeded: words[0])
    digestStart = words[1]
  }

  /// As a file has it: length and time of 4 bytes each, and 8 bytes of the hash, each with the highest byte first.
  package var bytes: InlineArray<16, UInt8> {
    InlineArray { index in
      UInt8(truncatingIfNeeded: (index < 8 ? firstWord : digestStart) >> UInt64(56 - index % 8 * 8))
    }
  }

  fileprivate var firstWord: UInt64 { UInt64(byteCount) << 32 | UInt64(endMilliseconds) }
}
