import Media
import Text

extension Command {
  private static let largestZoomRate = 1_000.0

  static func parseZoom(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .zoom(.show) }
    guard let factor = word.parseDecimal(), factor >= 1 else {
      throw wrong(word, "zoom", "a factor of 1.0 or more")
    }
    guard let second = arguments.next() else { return .zoom(.glide(to: factor, powersOfTwoPerSecond: nil)) }
    if second.equals("now") { return .zoom(.jump(to: factor)) }
    guard let rate = second.parseDecimal(), rate > 0, rate <= largestZoomRate else {
      throw wrong(second, "zoom", "a rate above 0 up to 1000 powers of two a second, or now")
    }
    return .zoom(.glide(to: factor, powersOfTwoPerSecond: rate))
  }

  static func parseRotate(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .rotate(nil) }
    return .rotate(try chosen(by: word, "rotate", "a way up"))
  }

  static func parseViewfinder(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .viewfinder(.show) }
    guard word.equals("move") else {
      return .viewfinder(
        .place(
          x: try length(word, 0), y: try length(arguments.next(), 0), width: try length(arguments.next(), 1),
          height: try length(arguments.next(), 1)))
    }
    let x = try length(arguments.next(), -longestLength)
    return .viewfinder(.move(x: x, y: try length(arguments.next(), -longestLength)))
  }

  static func parseSnapshot(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .snapshot(.whole) }
    guard word.equals("crop") else { throw wrong(word, "snapshot", "crop or nothing") }
    return .snapshot(.viewfinder)
  }

  static func parsePreview(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .preview(.once) }
    guard word.equals("live") else { throw wrong(word, "preview", "live or nothing") }
    return .preview(.live)
  }

  private static let longestLength: Int32 = 65_535

  private static func length(_ word: Span<UInt8>?, _ least: Int32) throws(CommandError) -> Int32 {
    guard let length = word?.parseInteger(as: Int32.self), (least...longestLength).contains(length) else {
      throw wrong(word, "viewfinder", "X Y WIDTH HEIGHT or move DX DY, whole numbers of the view, \(least)…65535 here")
    }
    return length
  }
}
