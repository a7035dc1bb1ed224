import Base
import Record

/// The folders in which takes lie, in the order in which they are purged.
struct TakeRoots {
  static var count: Int { 3 }

  static func root(_ index: Int) -> MediaKind {
    switch index {
    case 0: .video
    case 1: .audio
    default: .photo
    }
  }
}

/// A folder of a day, `video/20261121`.
struct DayPath: BitwiseCopyable {
  let rootIndex: Int
  /// Counted from 1970-01-01.
  let day: Int64

  var root: MediaKind { TakeRoots.root(rootIndex) }

  var path: FixedText<128> {
    "\(root.name)/\(CivilTime(unixSeconds: day * 86_400).dateText)"
  }

  /// Whether it comes before another one: by its day, then by its root.
  func precedes(_ other: DayPath) -> Bool {
    day < other.day || (day == other.day && rootIndex < other.rootIndex)
  }
}

/// The path of a take or a still, `video/20261121/021005-0001.mov`.
package struct TakeFilePath: Sendable {
  /// `video/20261121`.
  let folder: FixedText<128>
  /// NNNN.
  package let number: UInt32

  /// - Returns: nil for every other path.
  package init?(_ path: borrowing FixedText<128>) {
    guard !path.isTruncated else { return nil }
    let folder = path.parentFolder
    let root = folder.parentFolder
    for index in 0..<TakeRoots.count where root == TakeRoots.root(index).name {
      guard CivilTime.dayNumber(ofDateText: folder.lastPart) != nil,
        let name = TakeName(path.lastPart, of: TakeRoots.root(index))
      else { return nil }
      self.folder = folder
      number = name.number
      return
    }
    return nil
  }
}

extension FixedText {
  /// Whether it comes before another text, by its bytes.
  func precedes(_ other: borrowing Self) -> Bool {
    let shared = min(byteCount, other.byteCount)
    for index in 0..<shared where bytes[index] != other.bytes[index] { return bytes[index] < other.bytes[index] }
    return byteCount < other.byteCount
  }
}
