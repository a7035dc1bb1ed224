import Text

/// A file or a folder, as the file system tells of it.
public struct FolderEntry: BitwiseCopyable, Sendable {
  /// Without the folder that it is in.
  public var name: FixedText<256>
  /// Whether it is a folder; else it is an ordinary file.
  public var isFolder: Bool
  /// The file's length.
  public var byteCount: UInt64
  /// When it was last changed, in nanoseconds since 1970 as the device knew it.
  public var modifiedNanoseconds: Int64

  /// An entry with all that is told of it.
  public init(name: FixedText<256>, isFolder: Bool, byteCount: UInt64, modifiedNanoseconds: Int64) {
    self.name = name
    self.isFolder = isFolder
    self.byteCount = byteCount
    self.modifiedNanoseconds = modifiedNanoseconds
  }
}
