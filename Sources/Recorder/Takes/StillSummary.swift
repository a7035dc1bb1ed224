import Text

/// A still on the card.
public struct StillSummary: BitwiseCopyable, Sendable {
  /// Relative to the data folder.
  public var path: FixedText<128>
  /// Columns as it is shown, upright.
  public var widthPixels: Int
  /// Rows as it is shown, upright.
  public var heightPixels: Int
  /// Of the file.
  public var byteCount: Int

  /// The whole for a person: `still photo/20261121/101500-0007.jpg, 640 x 480, 81234 bytes`.
  public var line: FixedText<256> { "still \(path), \(widthPixels) x \(heightPixels), \(byteCount) bytes" }
}
