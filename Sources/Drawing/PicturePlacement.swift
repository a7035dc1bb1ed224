import Base
import Wire

/// The position of the camera's picture on a display.
struct PicturePlacement: Equatable {
  /// From a frame in which the picture is not rotated to the display.
  let rotation: QuarterTurn
  /// The display's size in that frame.
  let frame: PixelSize
  /// The whole picture in the frame; larger than the frame where it has to fill it.
  let picture: PixelRectangle
  /// The visible part of the picture.
  let visible: PixelRectangle

  /// - Parameters:
  ///   - picture: the size of the camera's picture, each side 1 or more.
  ///   - canvas: the display's.
  init(picture: PixelSize, on canvas: PixelSize, rotation: QuarterTurn, framing: Framing) {
    self.rotation = rotation
    frame = canvas.rotated(by: rotation)
    let isWider = picture.width * frame.height >= picture.height * frame.width
    let followsWidth = isWider == (framing == .fit)
    let width = followsWidth ? frame.width : Self.rounded(frame.height * picture.width, picture.height)
    let height = followsWidth ? Self.rounded(frame.width * picture.height, picture.width) : frame.height
    self.picture = PixelRectangle(
      x: (frame.width - width) >> 1, y: (frame.height - height) >> 1, width: width, height: height)
    visible = self.picture.intersection(PixelRectangle(frame))
  }

  /// All of a picture in the middle of a place.
  /// - Parameters:
  ///   - picture: its size, each side 1 or more.
  ///   - place: upright.
  ///   - rotation: from upright to the canvas.
  init(picture: PixelSize, in place: PixelRectangle, on canvas: PixelSize, rotation: QuarterTurn) {
    let size = PixelSize(width: place.width, height: place.height)
    let fitted = PicturePlacement(picture: picture, on: size, rotation: .none, framing: .fit).picture
    self.rotation = rotation
    frame = canvas.rotated(by: rotation)
    self.picture = PixelRectangle(
      x: place.x + fitted.x, y: place.y + fitted.y, width: fitted.width, height: fitted.height)
    visible = self.picture.intersection(PixelRectangle(frame))
  }

  private static func rounded(_ dividend: Int, _ divisor: Int) -> Int { max(1, (dividend + divisor / 2) / divisor) }

  /// A rectangle of the upright picture, in the coordinates of the frame.
  func rectangle(_ fraction: ViewFraction, upright orientation: Orientation) -> PixelRectangle {
    let upright = QuarterTurn(upright: orientation)
    let size = PixelSize(width: picture.width, height: picture.height).rotated(by: upright)
    let left = Self.pixel(fraction.x, of: size.width)
    let top = Self.pixel(fraction.y, of: size.height)
    let right = Self.pixel(fraction.x + fraction.width, of: size.width)
    let bottom = Self.pixel(fraction.y + fraction.height, of: size.height)
    var rotated = PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
      .rotated(by: upright.reversed, in: size)
    rotated.x += picture.x
    rotated.y += picture.y
    return rotated
  }

  private static func pixel(_ fraction: Float, of length: Int) -> Int {
    min(length, Int((fraction * Float(length)).rounded()))
  }
}

extension Mounting {
  /// From upright to the display.
  func upright(_ orientation: Orientation) -> QuarterTurn {
    switch self {
    case .builtIn: QuarterTurn(upright: orientation).reversed
    case .standing: .none
    }
  }
}
