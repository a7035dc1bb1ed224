/// How full a ring or a queue is, for display.
package struct RingLevel: BitwiseCopyable, Sendable {
  /// Items, frames or packets held.
  package var itemCount: Int
  /// Items, frames or packets that fit.
  package var capacity: Int
  /// Bytes of memory the ring occupies.
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
