import Rings
import Values

/// The items to play one after the other, and the player's place among them.
@safe public struct PlayQueue: ~Copyable {
  // Sound: a block of boot memory with no other owner; slots below `count` are initialised.
  private let slots: UnsafeMutableBufferPointer<MediaItem>
  /// How many items there are.
  public private(set) var count = 0
  /// The index of the item that is played or comes first, 0…`count`; `count` only while there is none.
  public private(set) var index = 0

  /// - Returns: nil when `memory` is used up.
  public init?(capacity: Int, in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: capacity * MemoryLayout<MediaItem>.stride) else { return nil }
    unsafe slots = piece.bindMemory(to: MediaItem.self)
  }

  /// How many items it can hold.
  public var capacity: Int { unsafe slots.count }

  /// The item that is played or comes first; nil while there is none.
  public var current: MediaItem? { item(at: index) }

  /// The item at `index`, 0…`count - 1`; nil for any other.
  public func item(at index: Int) -> MediaItem? {
    guard index >= 0, index < count else { return nil }
    return unsafe slots[index]
  }

  /// - Returns: false, and nothing is appended, when the queue is full.
  mutating func append(_ item: MediaItem) -> Bool {
    guard count < capacity else { return false }
    unsafe slots[count] = item
    count += 1
    return true
  }

  mutating func move(to index: Int) {
    precondition(index >= 0 && index < count, "the queue has no such item")
    self.index = index
  }

  mutating func removeAll() {
    count = 0
    index = 0
  }
}
