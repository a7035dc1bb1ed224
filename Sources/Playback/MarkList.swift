import Wire

/// The marks of the frames in the ring, in order.
struct MarkList: BitwiseCopyable {
  private var marks: InlineArray<64, StreamMark>
  private(set) var count = 0

  init() {
    marks = InlineArray(repeating: StreamMark(ringFrame: 0, requestID: 0, positionSeconds: 0, rate: 1))
  }

  var newest: StreamMark? { count > 0 ? marks[count - 1] : nil }

  /// The mark that `frame` counts from; nil when there is none.
  func mark(of frame: UInt64) -> StreamMark? {
    var found: StreamMark?
    for index in 0..<count where marks[index].ringFrame <= frame { found = marks[index] }
    return found
  }

  /// Appends a mark. It replaces the last one if both belong to the same frame, or if the list is full: a slightly
  /// wrong position is acceptable.
  mutating func append(_ mark: StreamMark) {
    if let newest, newest.ringFrame > mark.ringFrame { return }
    let replacesNewest = newest?.ringFrame == mark.ringFrame || count == marks.count
    if !replacesNewest { count += 1 }
    marks[count - 1] = mark
  }

  /// Removes the marks that neither `frame` nor any later one counts from.
  mutating func forget(before frame: UInt64) {
    var spent = 0
    while spent + 1 < count, marks[spent + 1].ringFrame <= frame { spent += 1 }
    guard spent > 0 else { return }
    for index in spent..<count { marks[index - spent] = marks[index] }
    count -= spent
  }

  /// An item was opened again, by another request.
  mutating func replace(requestID: UInt32, by other: UInt32) {
    for index in 0..<count where marks[index].requestID == requestID { marks[index].requestID = other }
  }

  mutating func removeAll() { count = 0 }
}
