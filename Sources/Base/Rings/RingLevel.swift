/// How full a ring or a queue is, for a person.
package struct RingLevel: BitwiseCopyable, Sendable {
  /// What it holds.
  package var itemCount: Int
  /// How much fits.
  package var capacity: Int
  /// The memory of it.
  package var byteCount: Int
  /// 0…100.
  package var percent: Int

  package init(itemCount: Int, capacity: Int, byteCount: Int) {
    self.itemCount = itemCount
    self.capacity = capacity
    self.byteCount = byteCount
    percent = itemCount * 100 / max(capacity, 1)
  }
}
