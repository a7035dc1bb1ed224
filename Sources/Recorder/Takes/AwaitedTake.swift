/// A take that was ordered, and waits for its first picture or for the one before it to be written.
struct AwaitedTake {
  var start: TakeStart
  /// Where it ends, when that was ordered meanwhile.
  var endPosition: UInt64?
}
