import Values
import Text

/// The name of an easing function. There are too many to list them all.
struct EasingKind: SettingKind {
  func parse(_ text: Span<UInt8>) -> Easing? { Easing(name: text) }

  func append(_ value: Easing, to text: inout FixedText<64>) { text.append(value.name) }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append(
      "linear, or sine, quad, cubic, quart, quint, expo, circ, back, elastic or bounce with -in, -out or -in-out behind it"
    )
  }
}
