import Values
import Text

extension Command {
  /// As `[zoom] rate` has it.
  private static let zoomRates = 0.1...50.0

  static func parseZoom(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .zoom(.show) }
    guard let factor = word.parseDecimal(), factor >= 1 else {
      throw wrong(word, "zoom", "a plain decimal number of 1.0 or more, with at most 15 digits")
    }
    guard let second = arguments.next() else { return .zoom(.glide(to: factor, powersOfTwoPerSecond: nil)) }
    if second.equals("now") { return .zoom(.jump(to: factor)) }
    guard let rate = second.parseDecimal(), zoomRates.contains(rate) else {
      throw wrong(second, "zoom", "a rate of 0.1…50 powers of two a second, or now")
    }
    return .zoom(.glide(to: factor, powersOfTwoPerSecond: rate))
  }

  static func parseRotate(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .rotate(nil) }
    return .rotate(try chosen(by: word, "rotate", "a way up"))
  }

  static func parseViewfinder(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .viewfinder(.show) }
    let form: FixedText<32> = "X Y W H or move DX DY"
    if word.equals("move") {
      let x = try length("DX", arguments.next(), -longestLength, of: "move DX DY")
      return .viewfinder(.move(x: x, y: try length("DY", arguments.next(), -longestLength, of: "move DX DY")))
    }
    return .viewfinder(
      .place(
        x: try length("X", word, 0, of: form), y: try length("Y", arguments.next(), 0, of: form),
        width: try length("W", arguments.next(), 1, of: form), height: try length("H", arguments.next(), 1, of: form)))
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

  /// As `[view]` has it.
  private static let longestLength: Int32 = 32_767

  private static func length(
    _ name: StaticString, _ word: Span<UInt8>?, _ least: Int32, of form: FixedText<32>
  ) throws(CommandError) -> Int32 {
    guard let word else { throw wrong(nil, "viewfinder", "\(form): \(name) is missing") }
    guard let length = word.parseInteger(as: Int32.self), (least...longestLength).contains(length) else {
      throw wrong(word, "viewfinder", "\(form): \(name) is a whole number of \(least)…\(longestLength)")
    }
    return length
  }
}
