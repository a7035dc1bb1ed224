import Base
import Wire

/// Draws the live view: the picture, and the recorder's state around and over it.
package struct ViewPainter: ~Copyable {
  private let framing: Framing
  private let mounting: Mounting
  private let lettering: Lettering
  private var scaler: PictureScaler

  /// - Parameters:
  ///   - lettering: the letters of its texts.
  ///   - longestPictureLine: the width of the camera's widest picture, in pixels; any value without a camera.
  ///   - longestCanvasSide: the longer side of the largest canvas.
  /// - Returns: nil if `memory` is used up.
  package init?(
    framing: Framing, mounting: Mounting, _ lettering: Lettering, longestPictureLine: Int, longestCanvasSide: Int,
    in memory: inout BootMemory
  ) {
    guard
      let scaler = PictureScaler(
        longestPictureLine: max(longestPictureLine, Artwork.longestSide), longestCanvasSide: longestCanvasSide,
        in: &memory)
    else { return nil }
    self.framing = framing
    self.mounting = mounting
    self.lettering = lettering
    self.scaler = scaler
  }

  /// Draws the whole canvas.
  /// - Parameters:
  ///   - picture: the camera's picture; nil while there is none.
  ///   - artwork: the artwork of what is being played; nil while there is none.
  @export(interface)
  package mutating func paint(
    _ picture: DecodedPicture?, artwork: DecodedPicture?, _ status: ShownStatus, onto canvas: inout Canvas
  ) {
    let upright = mounting.upright(status.orientation)
    let showsPicture = picture != nil && status.showsPicture
    if let picture, showsPicture {
      let rotation = QuarterTurn(upright: status.orientation) + upright
      let placement = PicturePlacement(
        picture: picture.codedSize, on: canvas.size, rotation: rotation, framing: framing)
      paint(picture, status, at: placement, onto: &canvas)
    } else {
      canvas.fill(PixelRectangle(canvas.size), rotated: .none, with: .black)
    }
    let overlay = Overlay(status, rotation: upright, canvas: canvas.size, lettering)
    overlay.draw(hasPicture: showsPicture, onto: &canvas)
    guard let artwork, let place = overlay.artworkPlace else { return }
    let placement = PicturePlacement(picture: artwork.codedSize, in: place, on: canvas.size, rotation: upright)
    scaler.draw(artwork.bytes, size: artwork.size, at: placement, bright: placement.picture, onto: &canvas)
  }

  private mutating func paint(
    _ picture: DecodedPicture, _ status: ShownStatus, at placement: PicturePlacement, onto canvas: inout Canvas
  ) {
    let bright = placement.rectangle(status.viewfinder, upright: status.orientation)
    Self.fill(around: placement.visible, in: PixelRectangle(placement.frame), placement.rotation, .black, &canvas)
    scaler.draw(picture.bytes, size: picture.size, at: placement, bright: bright, onto: &canvas)
    guard bright != placement.picture else { return }
    let line = max(1, min(canvas.size.width, canvas.size.height) / 400)
    Self.fill(around: bright, in: bright.grown(by: line), placement.rotation, .white, &canvas)
  }

  /// Fills `outer` except `inner`.
  private static func fill(
    around inner: PixelRectangle, in outer: PixelRectangle, _ rotation: QuarterTurn, _ ink: Ink, _ canvas: inout Canvas
  ) {
    let right = inner.x + inner.width
    let bottom = inner.y + inner.height
    let above = PixelRectangle(x: outer.x, y: outer.y, width: outer.width, height: inner.y - outer.y)
    let below = PixelRectangle(x: outer.x, y: bottom, width: outer.width, height: outer.y + outer.height - bottom)
    let left = PixelRectangle(x: outer.x, y: inner.y, width: inner.x - outer.x, height: inner.height)
    let beside = PixelRectangle(x: right, y: inner.y, width: outer.x + outer.width - right, height: inner.height)
    canvas.fill(above, rotated: rotation, with: ink)
    canvas.fill(below, rotated: rotation, with: ink)
    canvas.fill(left, rotated: rotation, with: ink)
    canvas.fill(beside, rotated: rotation, with: ink)
  }
}

/// A picture as packed RGB.
package struct DecodedPicture: ~Escapable {
  let bytes: RawSpan
  let size: PixelSize
  let codedSize: PixelSize

  /// - Parameters:
  ///   - bytes: rows of three bytes per pixel, red first, without gaps.
  ///   - size: columns and rows.
  ///   - codedSize: the size before scaling, which has the exact aspect ratio.
  /// - Returns: nil if the picture is empty, or `bytes` is too short.
  @_lifetime(copy bytes)
  package init?(_ bytes: RawSpan, size: PixelSize, codedSize: PixelSize) {
    guard size.width > 0, size.height > 0, codedSize.width > 0, codedSize.height > 0,
      bytes.byteCount >= 3 * size.width * size.height
    else { return nil }
    self.bytes = bytes
    self.size = size
    self.codedSize = codedSize
  }
}
