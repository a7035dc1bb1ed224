import Base

/// The folders of days, for retention: the one part of the recorder that removes takes. Paths are relative to the data
/// folder, and no link on them or at their end is followed. Calls may take as long as a stalled card takes: they are made
/// only on the retention worker's thread.
package protocol DayFoldersDriver: ~Copyable {
  /// Calls `visit` with the name of each entry of a folder, in no order.
  /// - Throws: with kind `absent` when there is no such folder.
  mutating func forEachName(
    in folder: borrowing FixedText<128>, _ visit: (borrowing FixedText<256>) -> Void
  ) throws(DeviceFailure)

  /// What is at `path`.
  /// - Throws: with kind `absent` when there is nothing.
  mutating func examine(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> DayEntry

  /// Bytes of the files that are directly in a folder.
  /// - Throws: with kind `absent` when there is no such folder.
  mutating func fileByteCount(in folder: borrowing FixedText<128>) throws(DeviceFailure) -> UInt64

  /// Reads a file from `offset` on.
  /// - Returns: the number of bytes read; less than the size of `space` only at the end of the file.
  /// - Throws: with kind `absent` when there is no such file.
  mutating func read(
    _ path: borrowing FixedText<128>, at offset: UInt64, into space: inout MutableRawSpan
  ) throws(DeviceFailure) -> Int

  /// Protects a file from being removed, or no longer; it is durable when the call returns.
  mutating func setProtection(of path: borrowing FixedText<128>, to isProtected: Bool) throws(DeviceFailure)

  /// Removes a file, not a folder.
  /// - Throws: with kind `absent` when there is none of that name.
  mutating func removeFile(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Removes a folder that is empty.
  mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure)

  /// Bytes that the recorder may still use on the file system.
  func freeByteCount() throws(DeviceFailure) -> UInt64
}

/// An entry of a folder, as the file system reports it.
package struct DayEntry: BitwiseCopyable, Sendable {
  /// What it is.
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// An ordinary file.
    case file
    case folder
    /// A link, a device, a pipe or a socket.
    case other
  }

  /// What it is.
  package var kind: Kind
  /// The file's length.
  package var byteCount: UInt64
  /// When it was last changed, in nanoseconds since 1970 as the device knew it.
  package var modifiedNanoseconds: Int64
  /// Whether it is protected from being removed.
  package var isProtected: Bool

  package init(kind: Kind, byteCount: UInt64, modifiedNanoseconds: Int64, isProtected: Bool) {
    self.kind = kind
    self.byteCount = byteCount
    self.modifiedNanoseconds = modifiedNanoseconds
    self.isProtected = isProtected
  }
}
