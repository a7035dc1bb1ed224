import Base

/// A file of the data folder, open for reading and writing.
package protocol StorageFile: MediaFile, ~Copyable where Failure == DeviceFailure {
  /// The most bytes that it can have, as far as that is known: a FAT's files end at 4 GiB.
  var largestByteCount: UInt64 { get }
}

/// What somebody has the data folder for, and so what becomes of links, and of a card that comes back as another one.
package enum FolderUse: BitwiseCopyable, Sendable {
  /// For takes. Links inside the folder are followed, and none leads out of it; the card stays the one that was opened,
  /// until ``StorageDriver/reopen()``.
  case recording
  /// To list and remove takes: no link on a path or at its end is followed, and files are only read. Each look is at
  /// the card that is there now.
  case keeping
  /// To look for music, also at absolute paths: links are followed. Each folder is that of the card that is there now.
  case browsing
}

/// The data folder. Paths are relative to it and do not lead out of it, except where ``FolderUse`` allows it. Calls may
/// take as long as a stalled card takes: they are made only on the thread of the worker that has it.
package protocol StorageDriver: ~Copyable {
  /// Makes a folder and those above it; no error when it exists.
  mutating func makeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Makes a new file and opens it; it closes when the value ends.
  /// - Throws: with kind `exists` when there is one of that name: nothing is ever overwritten.
  mutating func create(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile

  /// Opens an existing file.
  mutating func open(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile

  /// Replaces a small file whole: after a power cut it holds the old bytes or the new. Only the recorder's user may
  /// read one that lies in no folder of the data folder.
  mutating func replace(_ path: borrowing FixedText<128>, with bytes: RawSpan) throws(DeviceFailure)

  /// Renames a file atomically, perhaps into another folder.
  /// - Throws: with kind `exists` when there is one of that name: nothing is ever overwritten.
  mutating func rename(_ path: borrowing FixedText<128>, to newPath: borrowing FixedText<128>) throws(DeviceFailure)

  /// Makes the names of new files in a folder survive a power cut (`fsync` of the folder).
  mutating func synchroniseFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Protects a file from being removed, or no longer; it is durable when the call returns.
  mutating func setProtection(of path: borrowing FixedText<128>, to isProtected: Bool) throws(DeviceFailure)

  /// Removes a file, not a folder.
  /// - Throws: with kind `absent` when there is none of that name.
  mutating func remove(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Removes a folder that is empty.
  mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Opens the data folder again: the card may have gone and come back. Files that were open stay what they are.
  /// - Throws: when it is not there, or what is there is not our data folder; nothing has changed then.
  mutating func reopen() throws(DeviceFailure)

  /// Goes on in the configured fallback folder, until ``reopen()``. Files that were open stay what they are.
  /// - Throws: when there is none, or it is in use already, or it cannot be written to; nothing has changed then.
  mutating func fallBack() throws(DeviceFailure)

  /// An existing folder outside the data folder, such as that of a USB stick. What is opened there is read from the
  /// disk, not from memory, and whoever may look into the folder may read what is written there.
  /// - Parameter folder: its absolute path.
  func elsewhere(_ folder: borrowing FixedText<128>) throws(DeviceFailure) -> HostStorage

  /// Bytes that the recorder may still use on the file system.
  func freeByteCount() throws(DeviceFailure) -> UInt64

  /// Calls `visit` with each entry of a folder, in no order, until it returns false. For ``FolderUse/browsing`` it
  /// leaves out what begins with a dot, what is neither a file nor a folder, and links to a folder that this one is in.
  /// - Parameters:
  ///   - place: where to begin: 0, or what an earlier call for the same folder returned.
  ///   - isExamined: whether all of an entry is told; otherwise only its name and kind, which costs less.
  /// - Returns: the place after the entry for which `visit` returned false; nil after the last entry. In a folder that
  ///   changes between two calls an entry can be visited twice, or not at all.
  /// - Throws: with kind `absent` when there is no such folder.
  mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, isExamined: Bool,
    _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64?

  /// The entry at `path`; its name is the last part of it.
  /// - Throws: with kind `absent` when there is nothing.
  mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry
}

/// An entry of a folder, as the file system reports it.
package struct FolderEntry: BitwiseCopyable, Sendable {
  /// What it is.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// An ordinary file.
    case file
    case folder
    /// A link that is not followed, a device, a pipe or a socket.
    case other
  }

  /// Without the path of its folder.
  package var name: FixedText<256>
  /// What it is.
  package var kind: Kind
  /// The file's length.
  package var byteCount: UInt64
  /// When it was last changed, in nanoseconds since 1970 as the device knew it.
  package var modifiedNanoseconds: Int64
  /// Whether it is protected from being removed.
  package var isProtected: Bool
  /// Whether it is on another file system than the data folder: behind a link, or mounted there.
  package var isOnOtherDevice: Bool

  package var isFolder: Bool { kind == .folder }

  package init(
    name: FixedText<256>, kind: Kind, byteCount: UInt64 = 0, modifiedNanoseconds: Int64 = 0, isProtected: Bool = false,
    isOnOtherDevice: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.byteCount = byteCount
    self.modifiedNanoseconds = modifiedNanoseconds
    self.isProtected = isProtected
    self.isOnOtherDevice = isOnOtherDevice
  }
}
