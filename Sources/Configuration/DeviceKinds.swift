import Base

/// The name of a device, without the bytes that would end a value in the file.
struct DeviceNameKind: SettingKind {
  /// What the name is of, for the error: "an ALSA device".
  var meaning: StaticString
  /// One byte is left for C's terminating 0.
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

/// A device as the system names it: a node's path, or an ALSA device.
package typealias DeviceName = FixedText<64>

/// The offset of a line on its GPIO chip, or `none`.
struct PinKind: SettingKind {
  private var kind: OptionalKind<WholeNumberKind<UInt16>> {
    OptionalKind(word: "none", wrapped: WholeNumberKind(0...1023, "line of the chip"))
  }

  func parse(_ text: Span<UInt8>) -> UInt16?? { kind.parse(text) }

  func append(_ value: UInt16?, to text: inout FixedText<64>) { kind.append(value, to: &text) }

  func appendExpectation(to text: inout FixedText<256>) { kind.appendExpectation(to: &text) }

  func forEachWord(_ visit: (StaticString) -> Void) { visit("none") }
}

/// A display's node, or one of two words.
struct DisplayKind: SettingKind {
  private var kind: DeviceNameKind { DeviceNameKind("a display such as /dev/dri/card0") }

  func parse(_ text: Span<UInt8>) -> Display? {
    if text.equals("auto") { return .automatic }
    if text.equals("none") { return Display.none }
    guard let name = kind.parse(text) else { return nil }
    return .node(name)
  }

  func append(_ value: Display, to text: inout FixedText<64>) {
    switch value {
    case .automatic: text.append("auto")
    case .none: text.append("none")
    case .node(let name): kind.append(name, to: &text)
    }
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("auto, none, " as FixedText<32>)
    kind.appendExpectation(to: &text)
  }

  func forEachWord(_ visit: (StaticString) -> Void) {
    visit("auto")
    visit("none")
  }
}
