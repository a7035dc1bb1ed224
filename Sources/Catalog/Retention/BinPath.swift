import Base
import Record

/// Where a deleted take lies: `bin/20261121-021005-0001.mov` for `video/20261121/021005-0001.mov`. The names sort by
/// time, and say where the take comes from; the bin is on the card of the takes, so that one rename moves a take.
enum BinPath {
  static var folder: FixedText<128> { "bin" }

  /// - Parameter path: of a take that is not deleted.
  static func path(of path: FixedText<128>) -> FixedText<128> {
    "\(folder)/\(FixedText<16>(path.parentFolder.lastPart))-\(FixedText<48>(path.lastPart))"
  }

  /// Where a take was before it was deleted; nil for what is not a take by its name.
  static func origin(of name: Span<UInt8>) -> FixedText<128>? {
    guard name.count > 9, name[8] == UInt8(ascii: "-") else { return nil }
    let day = FixedText<16>(name.extracting(first: 8))
    let file = FixedText<48>(name.extracting(droppingFirst: 9))
    for index in 0..<TakeRoots.count {
      let path: FixedText<128> = "\(TakeRoots.root(index).name)/\(day)/\(file)"
      if TakeFilePath(path) != nil { return path }
    }
    return nil
  }
}

/// Where a person's name for a take is kept: `names/0001`. Neither a new date nor the bin moves it, and a number is never
/// given to another take.
enum NamePath {
  static var folder: FixedText<128> { "names" }

  static func path(ofTake number: UInt32) -> FixedText<128> { "\(folder)/\(number, width: 4)" }

  /// The take whose name is kept in the file of this name; nil for another file.
  static func number(in name: Span<UInt8>) -> UInt32? { name.parseInteger(as: UInt32.self) }
}
