import Base

/// How a track's pictures are mapped to the screen: `x' = ax + cy + tx`, `y' = bx + dy + ty`, y pointing down
/// (QTFF, "Matrices"; ISO/IEC 14496-12, 8.3.2.3).
struct TrackMatrix {
  /// In the order of the file, `a b u c d v tx ty w`: 16.16 fixed point, but `u v w` 2.30.
  let elements: InlineArray<9, Int32>

  static var upright: TrackMatrix { TrackMatrix(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

  /// Rotates pictures clockwise about the origin, then moves them back to where x and y are not negative.
  init(orientation: Orientation, widthPixels: UInt16, heightPixels: UInt16) {
    let width = Int32(widthPixels)
    let height = Int32(heightPixels)
    switch orientation {
    case .landscapeLeft: self = .upright
    case .portrait: self.init(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
    case .landscapeRight: self.init(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
    case .portraitUpsideDown: self.init(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
    }
  }

  /// The orientation whose matrix begins with these elements; upright where there is none.
  static func orientation(a: Int32, b: Int32) -> Orientation {
    for number in 0..<UInt8(4) {
      guard let orientation = Orientation(rawValue: number) else { continue }
      let elements = TrackMatrix(orientation: orientation, widthPixels: 0, heightPixels: 0).elements
      if elements[0] == a, elements[1] == b { return orientation }
    }
    return .landscapeLeft
  }

  private init(a: Int32, b: Int32, c: Int32, d: Int32, tx: Int32, ty: Int32) {
    let one16: Int32 = 1 << 16
    let one30: Int32 = 1 << 30
    // Sizes from 32,768 pixels on would need more than 16.16 has.
    elements = [a * one16, b * one16, 0, c * one16, d * one16, 0, tx &* one16, ty &* one16, one30]
  }
}
