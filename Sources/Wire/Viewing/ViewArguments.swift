import Base

/// The command line of `fieldcorder-view`: the recorder writes it, and the program reads it.
package struct ViewArguments: Equatable, Sendable {
  /// The arguments, as in a help text.
  package static var usage: StaticString { "DEVICE fit|fill WIDTH HEIGHT built-in|standing" }

  /// The range of a JPEG's sides; 0 without a camera.
  private static var sidePixels: ClosedRange<Int> { 0...65_500 }

  /// The display's device file, such as `/dev/dri/card0`.
  package var display: FixedText<64>
  /// How a picture of a different aspect ratio is shown.
  package var framing: Framing
  /// The largest picture size; both sides 0 without a camera.
  package var largestPicture: PixelSize
  /// Whether the display is rotated with the device.
  package var mounting: Mounting

  package init(display: FixedText<64>, framing: Framing, largestPicture: PixelSize, mounting: Mounting) {
    self.display = display
    self.framing = framing
    self.largestPicture = largestPicture
    self.mounting = mounting
  }

  /// Reads the arguments.
  /// - Parameter next: returns the next one, nil after the last one.
  /// - Returns: nil when they do not match ``usage``.
  package init?(readingFrom next: () -> FixedText<64>?) {
    guard let display = next(), let framing: Framing = Self.choice(next()), let width = Self.side(next()),
      let height = Self.side(next()), let mounting: Mounting = Self.choice(next()), next() == nil
    else { return nil }
    self.init(
      display: display, framing: framing, largestPicture: PixelSize(width: width, height: height), mounting: mounting)
  }

  /// Passes the arguments to `append` in order.
  package func write(_ append: (FixedText<64>) -> Void) {
    append(display)
    append("\(framing.name)")
    append("\(largestPicture.width)")
    append("\(largestPicture.height)")
    append("\(mounting.name)")
  }

  private static func choice<Value: Choice>(_ word: FixedText<64>?) -> Value? {
    guard let word else { return nil }
    return Value(name: word.bytes)
  }

  private static func side(_ word: FixedText<64>?) -> Int? {
    guard let word, let side = word.bytes.parseInteger(as: Int.self), sidePixels.contains(side) else { return nil }
    return side
  }
}
