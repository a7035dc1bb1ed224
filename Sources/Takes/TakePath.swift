import Text

/// Names and places of takes: `video/yyyyMMdd/HHMMSS-NNNN.mov`, by UTC.
enum TakePath {
  static func folder(kind: StaticString, unixSeconds: Int64) -> FixedText<128> {
    var path: FixedText<128> = "\(kind)/"
    path.append(CivilTime(unixSeconds: unixSeconds).dateText)
    return path
  }

  static func file(
    in folder: FixedText<128>, unixSeconds: Int64, number: UInt64, fileExtension: StaticString
  ) -> FixedText<128> {
    var path = folder
    path.append("/")
    path.append(CivilTime(unixSeconds: unixSeconds).timeText)
    path.append("-")
    path.append(integer: number, width: 4)
    path.append(".")
    path.append(fileExtension)
    return path
  }
}
