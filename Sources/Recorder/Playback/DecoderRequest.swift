import Decoding
import Text

/// What the loop asks of the decoder's worker.
public struct DecoderRequest: BitwiseCopyable, Equatable, Sendable {
  /// For the process.
  public var order: DecoderOrder
  /// The file that goes with it, relative to the data folder or absolute; empty when none does.
  public var path: FixedText<256>

  /// A request; the path is left out for orders that need no file.
  public init(_ order: DecoderOrder, path: FixedText<256> = "") {
    self.order = order
    self.path = path
  }
}
