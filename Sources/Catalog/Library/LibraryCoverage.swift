import Base

/// How much of the folders the index covers.
package struct LibraryCoverage: BitwiseCopyable, Equatable, Sendable {
  /// Files in the index.
  package var indexedCount: UInt32
  /// Files for which it had no space, in the last whole pass or in the one under way.
  package var leftOutCount: UInt32
  /// Files whose tags have not been read yet.
  package var unreadCount: UInt32
  /// Whether a first pass has ended, and the tags of all files that it found were read.
  package var isComplete: Bool

  /// Files that cannot be named in a line, in the last whole pass or in the one under way.
  package var unnamedCount: UInt32 = 0

  /// Files and folders on other devices that were left out, in that pass.
  package var elsewhereCount: UInt32 = 0

  /// What is on other devices, as one line; nil when that is nothing.
  package var elsewhereNote: FixedText<128>? {
    guard elsewhereCount > 0 else { return nil }
    return "\(elsewhereCount) entries on other devices not listed: set [library] other_devices = yes"
  }

  /// The files that cannot be named, as one line; nil when there are none.
  package var unnamedNote: FixedText<128>? {
    guard unnamedCount > 0 else { return nil }
    return "\(unnamedCount) files not listed: control characters or bad UTF-8 in the name, or a path above 256 bytes"
  }

  /// The limits of an answer, as one line; nil when it covers everything.
  package var note: FixedText<128>? {
    if leftOutCount > 0 {
      return "the library is full: \(grouped: leftOutCount) files were left out; raise [library] capacity"
    }
    return isComplete ? nil : "still indexing: \(grouped: indexedCount) files so far"
  }
}
