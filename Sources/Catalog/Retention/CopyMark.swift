import Base
import Machine

/// The mark of a day that was copied: the file `.copied` in its folder, with a line `SIZE NAME` for each file that was.
///
/// A list covers no take that was made after it, whatever the clock said then, and none that grew since.
struct CopyMark {
  static var name: StaticString { ".copied" }
  /// The name of the list until the copy is complete.
  static var unfinishedName: StaticString { ".copying" }

  private let path: FixedText<128>
  private let writtenNanoseconds: Int64

  /// - Returns: nil when the folder has no mark.
  init?(of folder: FixedText<128>, in folders: inout Storage) throws(DeviceFailure) {
    path = "\(folder)/\(Self.name)"
    guard let entry = try folders.find(path), entry.kind == .file else { return nil }
    writtenNanoseconds = entry.modifiedNanoseconds
  }

  /// Whether it lists a file with its present size, and the file was not changed later.
  func covers(
    _ name: FixedText<256>, _ entry: FolderEntry, in folders: inout Storage
  ) throws(DeviceFailure) -> Bool {
    guard entry.modifiedNanoseconds <= writtenNanoseconds else { return false }
    var search = LineSearch("\(entry.byteCount) \(name)")
    var chunk = InlineArray<512, UInt8>(repeating: 0)
    var offset: UInt64 = 0
    while offset < RetentionLimits.copyListByteCount {
      var span = chunk.mutableSpan
      var space = unsafe span.mutableBytes
      let count = try folders.read(path, at: offset, into: &space)
      if search.finds(in: chunk.span.extracting(first: count)) { return true }
      guard count == chunk.count else { break }
      offset += UInt64(count)
    }
    return search.finds(in: ("\n" as StaticString).utf8Bytes)
  }
}

/// Looks for a line in a text that comes in pieces.
private struct LineSearch {
  /// A size has at most 20 digits and the name of a take 22 bytes: a longer line is cut, and still longer than this.
  private let wanted: FixedText<64>
  private var line = FixedText<64>()

  init(_ wanted: FixedText<64>) { self.wanted = wanted }

  /// Whether the line ends in this piece.
  mutating func finds(in piece: Span<UInt8>) -> Bool {
    for index in piece.indices where piece[index] != UInt8(ascii: "\r") {
      guard piece[index] == UInt8(ascii: "\n") else {
        line.append(byte: piece[index])
        continue
      }
      if line == wanted { return true }
      line.removeAll()
    }
    return false
  }
}
