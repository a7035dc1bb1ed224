import Text

/// How much of what lies in the folders the library knows.
public struct LibraryCoverage: BitwiseCopyable, Equatable, Sendable {
  /// Files that it knows.
  public var indexedCount: UInt32
  /// Files for which it had no room, as of the last whole pass or of the one under way.
  public var leftOutCount: UInt32
  /// Files whose tags have not been read yet.
  public var unreadCount: UInt32
  /// Whether all folders were gone through once, and the tags of all that was found then were read.
  public var isComplete: Bool

  /// A coverage with all that it says.
  public init(indexedCount: UInt32, leftOutCount: UInt32, unreadCount: UInt32, isComplete: Bool) {
    self.indexedCount = indexedCount
    self.leftOutCount = leftOutCount
    self.unreadCount = unreadCount
    self.isComplete = isComplete
  }

  /// What a listener must know to understand an answer; nil when it covers everything.
  public var note: FixedText<128>? {
    if leftOutCount > 0 {
      return "the library is full: \(leftOutCount) files were left out; raise [library] capacity"
    }
    return isComplete ? nil : "still indexing: \(indexedCount) files so far"
  }
}
