/// A kind of sound file, and how an independent program makes one.
package struct Specimen: Hashable, Sendable, CustomStringConvertible {
  /// The file's name.
  package var name: String
  /// The signal in the file.
  package var source: Signal
  /// Whether every sample is decoded exactly as it was encoded.
  package var isLossless: Bool
  /// The program that makes it.
  var program: String
  /// Its arguments, with `{in}` for the WAV of ``source`` and `{out}` for the output file.
  var arguments: [String]

  /// The file's name.
  package var description: String { name }

  /// The same kind of file with another signal.
  package func of(_ source: Signal, as name: String) -> Specimen {
    var other = self
    other.source = source
    other.name = name
    return other
  }
}
