import Drawing
import Values
import Posix
import Text

/// What the recorder asks of a live view.
struct ViewInvocation {
  /// Of the camera's pictures, as libjpeg has them at the most; 0 without a camera.
  private static let sides = 0...65_500

  let device: FixedText<64>
  let framing: Framing
  /// No picture is larger.
  let largestPicture: PixelSize
  let mounting: Mounting

  /// - Returns: nil when the words are not `DEVICE fit|fill WIDTH HEIGHT [built-in|standing]`.
  init?(_ words: inout ArgumentList) {
    guard let device: FixedText<64> = words.next(), let framing: Framing = words.choice(),
      let width = words.number(Self.sides), let height = words.number(Self.sides)
    else { return nil }
    guard let mounting: Mounting = words.isAtEnd ? .builtIn : words.choice(), words.isAtEnd else { return nil }
    self.device = device
    self.framing = framing
    largestPicture = PixelSize(width: max(1, width), height: max(1, height))
    self.mounting = mounting
  }
}
