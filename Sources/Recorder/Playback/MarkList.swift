import Decoding

/// The marks of the frames that the ring holds, in their order.
struct MarkList: BitwiseCopyable {
  private var marks: InlineArray<64, StreamMark>
  private(set) var count = 0

  init() {
    marks = InlineArray(repeating: StreamMark(ringFrame: 0, ticket: 0, positionSeconds: 0, rate: 1))
  }

  subscript(index: Int) -> StreamMark { marks[index] }

  /// The last one; nil when there is none.
  var newest: StreamMark? { count > 0 ? marks[count - 1] : nil }

  /// The one that says what `frame` is; nil when none does.
  func mark(of frame: UInt64) -> StreamMark? {
    var found: StreamMark?
    for index in 0..<count where marks[index].ringFrame <= frame { found = marks[index] }
    return found
  }

  /// Adds one behind the last, or in its place when both are of the same frame, or when there is no more room: a
  /// place that is told a little wrongly does no harm.
  mutating func append(_ mark: StreamMark) {
    if let newest, newest.ringFrame > mark.ringFrame { return }
    let replacesNewest = newest?.ringFrame == mark.ringFrame || count == marks.count
    if !replacesNewest { count += 1 }
    marks[count - 1] = mark
  }

  /// Leaves out those that say nothing of `frame` and what is behind it.
  mutating func forget(before frame: UInt64) {
    var spent = 0
    while spent + 1 < count, marks[spent + 1].ringFrame <= frame { spent += 1 }
    guard spent > 0 else { return }
    for index in spent..<count { marks[index - spent] = marks[index] }
    count -= spent
  }

  /// An item was opened anew.
  mutating func replace(ticket: UInt32, by other: UInt32) {
    for index in 0..<count where marks[index].ticket == ticket { marks[index].ticket = other }
  }

  mutating func removeAll() { count = 0 }
}
