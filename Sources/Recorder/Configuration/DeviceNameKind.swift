import Text

/// The name of a device. It stands in the file as it is, so it has none of the bytes that would end it there.
struct DeviceNameKind: SettingKind {
  /// What is named, for the error: "an ALSA device".
  var meaning: StaticString
  /// One byte is left for the 0 with which C ends it.
  private static let largestByteCount = 63

  init(_ meaning: StaticString) { self.meaning = meaning }

  func parse(_ text: Span<UInt8>) -> DeviceName? {
    guard text.count >= 1, text.count <= Self.largestByteCount else { return nil }
    for index in text.indices where text[index] <= UInt8(ascii: " ") || text[index] == UInt8(ascii: ";") { return nil }
    return DeviceName(text)
  }

  func append(_ value: DeviceName, to text: inout FixedText<64>) {
    text.append(value)
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("\(meaning), 1…63 bytes without spaces or semicolons" as FixedText<128>)
  }
}
