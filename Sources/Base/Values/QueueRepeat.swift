/// What follows when an item, or the queue, has come to its end.
package enum QueueRepeat: UInt8, Choice, BitwiseCopyable, Sendable {
  /// The next item; nothing follows the last one.
  case off
  /// The same item again.
  case one
  /// The next item; the first one, or when shuffled any, follows the last one.
  case all

  /// The console's word for it.
  package var name: StaticString {
    switch self {
    case .off: "off"
    case .one: "one"
    case .all: "all"
    }
  }
}
