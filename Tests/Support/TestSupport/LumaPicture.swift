/// The brightness of a decoded picture, one byte per pixel, rows without gaps.
package struct LumaPicture {
  /// Pixels per row.
  package let widthPixels: Int
  /// Rows.
  package let heightPixels: Int
  /// Row by row from the top, each from the left.
  package let bytes: ArraySlice<UInt8>

  /// A picture whose size must match its bytes.
  package init(widthPixels: Int, heightPixels: Int, bytes: ArraySlice<UInt8>) {
    precondition(bytes.count == widthPixels * heightPixels, "a picture of another size")
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.bytes = bytes
  }

  /// The pictures in `bytes`, one after another; an incomplete last one is omitted.
  package static func sequence(_ bytes: [UInt8], widthPixels: Int, heightPixels: Int) -> [LumaPicture] {
    let byteCount = widthPixels * heightPixels
    return (0..<bytes.count / byteCount).map { index in
      let range = index * byteCount..<(index + 1) * byteCount
      return LumaPicture(widthPixels: widthPixels, heightPixels: heightPixels, bytes: bytes[range])
    }
  }

  /// The mean brightness of the middle of a rectangle of cells; the picture is divided into a grid of 20 × 15. A
  /// quarter is omitted at each side, where compression and scaling blur.
  package func meanBrightness(columns: Range<Int>, rows: Range<Int>) -> Int {
    let left = widthPixels * columns.lowerBound / 20
    let right = widthPixels * columns.upperBound / 20
    let top = heightPixels * rows.lowerBound / 15
    let bottom = heightPixels * rows.upperBound / 15
    var sum = 0
    var count = 0
    for y in top + (bottom - top) / 4..<bottom - (bottom - top) / 4 {
      for x in left + (right - left) / 4..<right - (right - left) / 4 {
        sum += Int(bytes[bytes.startIndex + y * widthPixels + x])
        count += 1
      }
    }
    return sum / max(count, 1)
  }
}
