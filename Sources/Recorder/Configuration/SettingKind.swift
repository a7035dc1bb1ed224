import Text

/// What values a key takes: how they are written, read and described.
public protocol SettingKind {
  associatedtype Value

  /// The value that `text` says; nil when it is none that the key takes.
  func parse(_ text: Span<UInt8>) -> Value?

  /// Appends the value as ``parse(_:)`` reads it.
  func append(_ value: Value, to text: inout FixedText<64>)

  /// Appends what is expected, as the end of a sentence.
  func appendExpectation(to text: inout FixedText<256>)
}
