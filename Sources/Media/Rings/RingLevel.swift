/// How full a ring or a queue is, for a person.
public struct RingLevel: BitwiseCopyable, Sendable {
  /// What it holds.
  public var itemCount: Int
  /// How much fits.
  public var capacity: Int
  /// The memory of it.
  public var byteCount: Int
  /// 0…100.
  public var percent: Int

  package init(itemCount: Int, capacity: Int, byteCount: Int) {
    self.itemCount = itemCount
    self.capacity = capacity
    self.byteCount = byteCount
    percent = itemCount * 100 / max(capacity, 1)
  }
}
