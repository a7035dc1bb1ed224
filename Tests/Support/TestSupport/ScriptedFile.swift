import Decoding

/// A file whose frames are numbers in a row.
public struct ScriptedFile {
  /// Of its first frame.
  public var firstNumber: UInt32
  /// How many frames it has.
  public var frameCount: Int
  /// Why it cannot be opened; nil when it can.
  public var refusal: DecoderRefusal?

  /// A file that can be opened, unless a refusal is given.
  public init(firstNumber: UInt32, frameCount: Int, refusal: DecoderRefusal? = nil) {
    self.firstNumber = firstNumber
    self.frameCount = frameCount
    self.refusal = refusal
  }
}
