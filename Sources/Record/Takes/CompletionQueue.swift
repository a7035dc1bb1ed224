import Base
import Machine
import Media

/// The files that are being completed: those of takes, the smallest first, then one that is repaired.
///
/// A growing file goes before all of them. It has a place in the queue from when it is opened, so that its end waits for
/// none of them; and because the smallest goes first, the files of a take that is split often do not wait for one of
/// many hours.
struct CompletionQueue: ~Copyable {
  private var places = InlineArray<4, TakeCompletion?> { _ in nil }
  private var takeCount = 0

  private static var repairPlace: Int { 3 }

  var isEmpty: Bool { takeCount == 0 && places[Self.repairPlace] == nil }
  /// Whether no further file of a take can be opened.
  var isFull: Bool { takeCount == Self.repairPlace }

  /// The place of the file whose turn it is.
  private var current: Int {
    guard takeCount > 0 else { return Self.repairPlace }
    var best = 0
    for index in 0..<takeCount where byteCount(at: index) < byteCount(at: best) { best = index }
    return best
  }

  private func byteCount(at index: Int) -> UInt64 { places[index]!.recordedByteCount }

  mutating func append(_ completion: consuming TakeCompletion) {
    precondition(!isFull, "a file was opened while others could not be completed")
    places[takeCount] = consume completion
    takeCount += 1
  }

  /// Only while the queue is empty.
  mutating func repair(_ completion: consuming TakeCompletion) {
    precondition(isEmpty, "a repair was begun before others had ended")
    places[Self.repairPlace] = consume completion
  }

  func holds(_ path: FixedText<128>) -> Bool {
    for index in places.indices where places[index] != nil && places[index]!.path == path { return true }
    return false
  }

  /// Does a bounded piece of the work on the file whose turn it is. Only while there is one.
  /// - Returns: that file's completion once it is complete and safe; it is no longer in the queue.
  mutating func step(
    scratch: inout FixedBuffer, _ texts: inout LedgerTexts, key: SigningKey
  ) throws(DeviceFailure) -> TakeCompletion? {
    let index = current
    guard try places[index]!.step(scratch: &scratch, &texts, key: key) else { return nil }
    return remove(at: index)
  }

  /// Starts again with the file whose turn it is, after an error.
  mutating func restart() { places[current]!.restart() }

  /// Takes out the file whose turn it is.
  mutating func giveUp() -> TakeCompletion { remove(at: current) }

  private mutating func remove(at index: Int) -> TakeCompletion {
    let removed = places[index].take()!
    guard index != Self.repairPlace else { return removed }
    for later in index + 1..<max(takeCount, index + 1) { places[later - 1] = places[later].take() }
    takeCount -= 1
    return removed
  }
}
