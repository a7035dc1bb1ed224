import Base

/// The titles of a part of a file that begins at a ring frame.
struct PartTitle: BitwiseCopyable {
  var ringFrame: UInt64 = 0
  var requestID: UInt32 = 0
  var title: FixedText<128> = ""
  var artist: FixedText<128> = ""
}

/// Titles of parts that are decoded but not heard yet, in order.
struct PartTitles: ~Copyable {
  private let place = StaysInPlace()
  /// Parts are rarely shorter than the second that is decoded ahead. If there are more, the newest are kept.
  private var titles = InlineArray<4, PartTitle>(repeating: PartTitle())
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ title: PartTitle) {
    if count == titles.count { removeFirst() }
    titles[count] = title
    count += 1
  }

  /// Takes the first title if its frame has been reached.
  mutating func takeFirst(before frame: UInt64) -> PartTitle? {
    guard count > 0, titles[0].ringFrame <= frame else { return nil }
    let first = titles[0]
    removeFirst()
    return first
  }

  private mutating func removeFirst() {
    for index in 1..<count { titles[index - 1] = titles[index] }
    count -= 1
  }
}
