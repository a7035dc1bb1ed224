import Base

/// `[record]`: how takes and stills are named.
package struct NameSettings: Equatable, Sendable {
  package var form = NameForm.dated
  /// Begins each dated name; nil for none.
  package var prefix: FixedText<12>?
  package var time = NameTime.utc

  static var longestPrefix: Int { 12 }

  /// The defaults.
  package init() {}

  package var isInLocalTime: Bool { time == .local }

  mutating func visit(_ visitor: inout SettingsTable) {
    visitor.setting("names", &form, ChoiceKind())
    visitor.setting("name_prefix", &prefix, OptionalKind(word: "none", wrapped: NamePrefixKind()))
    visitor.setting("name_time", &time, ChoiceKind())
  }
}

/// What a take's name is made of.
package enum NameForm: UInt8, Choice {
  /// Date, time and number: `20261121_093000_0001.wav`.
  case dated
  /// Time and number, as the day is the folder's: `093000-0001.wav`.
  case short

  package var name: StaticString {
    switch self {
    case .dated: "dated"
    case .short: "short"
    }
  }
}

/// The clock of dated names.
package enum NameTime: UInt8, Choice {
  case utc
  /// `[clock] utc_offset`, with the offset: `20261121T183000+0900_0001.wav`.
  case local

  package var name: StaticString {
    switch self {
    case .utc: "utc"
    case .local: "local"
    }
  }
}

/// Letters, digits and hyphens: safe on each file system, and no separator of the name's parts. Programs that search a
/// name for a date must not find one in the prefix, and no program may take the name for an option.
struct NamePrefixKind: SettingKind {
  func parse(_ text: Span<UInt8>) -> FixedText<12>? {
    guard !text.isEmpty, text.count <= NameSettings.longestPrefix, text[0] != UInt8(ascii: "-") else { return nil }
    var digitsAtEnd = 0
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digitsAtEnd += 1
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
        digitsAtEnd = 0
      default: return nil
      }
    }
    return digitsAtEnd < 8 ? FixedText(text) : nil
  }

  func append(_ value: FixedText<12>, to text: inout FixedText<64>) { text.append(value) }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("1 to 12 letters, digits and hyphens, no hyphen first, and fewer than 8 digits at the end")
  }
}
