/// Why the parameter sets of an H.264 stream cannot be put into a movie.
public enum ParameterSetsError: Error, BitwiseCopyable, Equatable, Sendable {
  /// One of the two is missing, or cut short.
  case incomplete
  /// One is larger than ``ParameterSet/maximumByteCount``.
  case tooLarge(byteCount: Int)
  /// There are different ones of a kind.
  case several

  /// What is wrong with the encoder, as the end of a sentence.
  public var problem: StaticString {
    switch self {
    case .incomplete: "sends H.264 without whole parameter sets"
    case .tooLarge: "sends H.264 with parameter sets of more than 256 bytes"
    case .several: "sends H.264 with more than one parameter set of a kind"
    }
  }
}
