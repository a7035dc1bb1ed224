/// A fixed set of words that a person chooses from. Raw values count up from 0 without a gap.
package protocol Choice: RawRepresentable, Equatable, Sendable where RawValue == UInt8 {
  /// Its name in commands, replies and configuration.
  var name: StaticString { get }
}

extension Choice {
  /// The value with this name.
  package init?(name: Span<UInt8>) {
    var rawValue: UInt8 = 0
    while let choice = Self(rawValue: rawValue) {
      if name.equals(choice.name) {
        self = choice
        return
      }
      rawValue += 1
    }
    return nil
  }

  /// Appends all names, as in `aiff, caf or wav`.
  package static func appendNames<let capacity: Int>(
    to text: inout FixedText<capacity>, separator: StaticString = ", ", lastSeparator: StaticString = " or "
  ) {
    var rawValue: UInt8 = 0
    while let choice = Self(rawValue: rawValue) {
      let isLast = Self(rawValue: rawValue + 1) == nil
      if rawValue > 0 { text.append(isLast ? lastSeparator : separator) }
      text.append(choice.name)
      rawValue += 1
    }
  }
}
