/// Reads the frame number out of a picture of the simulated camera, decoded by whatever program.
///
/// A grid of 20 × 15 cells lies over the picture. Rows 1 and 2, columns 2…17, hold 32 bits, the most significant first,
/// white for 1 and black for 0; rows 3 and 4 hold the same bits inverted.
public enum FrameNumberReader {
  /// - Returns: nil when a block is neither black nor white, or the two copies contradict each other: a misread is told.
  public static func read(_ picture: LumaPicture) -> UInt32? {
    var number: UInt32 = 0
    for index in 0..<32 {
      guard let bit = bit(index, firstRow: 1, of: picture), let inverted = self.bit(index, firstRow: 3, of: picture),
        bit != inverted
      else { return nil }
      number = number << 1 | (bit ? 1 : 0)
    }
    return number
  }

  private static func bit(_ index: Int, firstRow: Int, of picture: LumaPicture) -> Bool? {
    let column = 2 + index % 16
    let row = firstRow + index / 16
    let brightness = picture.meanBrightness(columns: column..<column + 1, rows: row..<row + 1)
    guard brightness < 90 || brightness > 165 else { return nil }
    return brightness > 128
  }
}
