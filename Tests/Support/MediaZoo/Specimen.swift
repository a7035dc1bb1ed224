/// A kind of sound file, and how a program that we did not write makes one.
public struct Specimen: Hashable, Sendable, CustomStringConvertible {
  /// The file's name.
  public var name: String
  /// What goes in.
  public var source: Signal
  /// Whether every sample comes out of it as it went in.
  public var isLossless: Bool
  /// The program that makes it.
  var program: String
  /// Its arguments, with `{in}` for the WAV of ``source`` and `{out}` for the file to be made.
  var arguments: [String]

  /// The file's name.
  public var description: String { name }

  /// The same kind of file of something else.
  public func of(_ source: Signal, as name: String) -> Specimen {
    var other = self
    other.source = source
    other.name = name
    return other
  }
}
