/// Reads the zoom factor out of a picture of the simulated camera, decoded by whatever program, at its full size.
///
/// In row 7 of the grid of 20 × 15 cells a white bar lies on black in the middle of the picture, a thirty-second of it
/// wide. Its width is measured by its brightness, to a fraction of a pixel.
public enum ZoomReader {
  /// - Returns: nil when there is no such bar: 1…16 can be read.
  public static func read(_ picture: LumaPicture) -> Double? {
    let middle = picture.widthPixels / 2
    let black = mean(of: picture, columns: 0..<picture.widthPixels / 16)
    let white = mean(of: picture, columns: middle - middle / 64..<middle + middle / 64)
    guard white - black > 100 else { return nil }
    let brightness = mean(of: picture, columns: 0..<picture.widthPixels) - black
    let width = Double(picture.widthPixels) * brightness / (white - black)
    return width / Double(barPixels(widthPixels: picture.widthPixels))
  }

  /// The bar's width where nothing is zoomed: its edges are even, and it is in the middle.
  static func barPixels(widthPixels: Int) -> Int {
    let half = widthPixels / 64
    return 2 * (half + (widthPixels / 2 - half) % 2)
  }

  /// Of the middle half of the row.
  private static func mean(of picture: LumaPicture, columns: Range<Int>) -> Double {
    let rows = picture.heightPixels * 29 / 60..<picture.heightPixels * 31 / 60
    var sum = 0
    for row in rows {
      for column in columns { sum += Int(picture.bytes[picture.bytes.startIndex + row * picture.widthPixels + column]) }
    }
    return Double(sum) / Double(rows.count * columns.count)
  }
}
