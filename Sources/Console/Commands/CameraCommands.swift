import Base

/// What `zoom` does.
package enum ZoomOrder: Equatable, Sendable {
  /// Prints the factor in force.
  case show
  /// Glides to a factor at a steady rate, in powers of two a second; nil for the configured rate.
  case glide(to: Double, powersOfTwoPerSecond: Double?)
  /// Sets the factor at once.
  case jump(to: Double)
}

/// What `viewfinder` does. Lengths are integers in the view's units.
package enum ViewfinderOrder: Equatable, Sendable {
  /// Prints its position and size.
  case show
  /// Sets its position and size, limited to the picture.
  case place(x: Int32, y: Int32, width: Int32, height: Int32)
  /// Moves it, limited to the picture.
  case move(x: Int32, y: Int32)
}

/// What `preview` does.
package enum PreviewOrder: Equatable, Sendable {
  /// Draws the newest picture.
  case once
  /// Draws one picture after another until a key is pressed.
  case live
  /// Draws the artwork of a music file.
  case artwork
}

extension CommandTable {
  static func visitCamera(_ visit: CommandVisitor) {
    visit(
      "zoom", .record, "[X [RATE|now]]", "zoom smoothly or at once; show the factor",
      "X ends at 1.0 and at the maximum; RATE is 0.1 to 50 powers of two a second; now jumps.",
      Examples("zoom 2", "zoom 4 1.5"), Command.parseZoom)
    visit(
      "rotate", .record, "[auto|ORIENTATION]", "set or show which way up pictures are",
      "auto follows the accelerometer; ORIENTATION is landscape-left, portrait, landscape-right or portrait-upside-down.",
      Examples("rotate portrait"), Command.parseRotate)
    visit(
      "viewfinder", .record, "[X Y W H|move DX DY]", "set, move or show the viewfinder",
      "Whole units of the view up to 32767, X and Y from its upper left corner. It stops at the picture's edges.",
      Examples("viewfinder 100 50 320 240", "viewfinder move 10 0"), Command.parseViewfinder)
    visit(
      "snapshot", .record, "[crop]", "save a still",
      "crop saves what the viewfinder shows; otherwise the whole picture is saved.", Examples("snapshot crop"),
      Command.parseSnapshot)
    visit(
      "preview", .record, "[live]", "show the camera's picture on this terminal",
      "live runs until a key is pressed; ctrl-C also ends a single picture.", Examples("preview live"),
      Command.parsePreview)
  }
}

extension Command {
  /// The range of `[zoom] rate`.
  private static let zoomRates = 0.1...50.0

  static func parseZoom(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .zoom(.show) }
    guard let factor = word.parseDecimal() else {
      throw wrong(word, "zoom", "a plain decimal number, with at most 15 digits")
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
    return .rotate(try chosen(by: word, "rotate", "an orientation"))
  }

  static func parseViewfinder(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .viewfinder(.show) }
    let form: StaticString = "X Y W H or move DX DY"
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

  /// The range of `[view]`.
  private static let longestLength: Int32 = 32_767

  private static func length(
    _ name: StaticString, _ word: Span<UInt8>?, _ least: Int32, of form: StaticString
  ) throws(CommandError) -> Int32 {
    guard let word else { throw wrong(nil, "viewfinder", expecting: "\(form): \(name) is missing") }
    guard let length = word.parseInteger(as: Int32.self), (least...longestLength).contains(length) else {
      throw wrong(word, "viewfinder", expecting: "\(form): \(name) is a whole number of \(least)…\(longestLength)")
    }
    return length
  }
}

extension Orientation: Choice {}
