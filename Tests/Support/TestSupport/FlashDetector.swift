/// Tells whether the simulated camera's flash is on in a picture: cells of columns 1…8, rows 8…13 of the grid of 20 × 15
/// are white instead of black.
public enum FlashDetector {
  /// Whether this picture shows the flash.
  public static func isFlashing(_ picture: LumaPicture) -> Bool {
    picture.meanBrightness(columns: 1..<9, rows: 8..<14) > 128
  }
}
