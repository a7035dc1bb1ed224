/// A fixed set of words that a person chooses from. Raw values count up from 0 without a gap.
package protocol Choice: RawRepresentable, Equatable, Sendable where RawValue == UInt8 {
  var name: StaticString { get }
}

extension Choice {
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

  /// Appends all names: `aiff, caf, flac or wav`.
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

/// The language in which the recorder speaks to people. Machine-readable output is the same in each.
package enum Language: UInt8, BitwiseCopyable, Choice {
  /// As written in the sources.
  case english
  /// From `Sources/C/CMessages/ko.po`.
  case korean

  /// The name in the configuration and at the start of a locale's name (ISO 639-1).
  package var name: StaticString {
    switch self {
    case .english: "en"
    case .korean: "ko"
    }
  }
}

extension Language {
  /// The language of a locale such as `ko_KR.UTF-8`; English if there are no messages for it.
  package init(locale: FixedText<64>) {
    guard let rest = locale.bytes.removingPrefix("ko") else {
      self = .english
      return
    }
    // `kok` is Konkani.
    let isWhole =
      rest.isEmpty || rest[0] == UInt8(ascii: "_") || rest[0] == UInt8(ascii: ".") || rest[0] == UInt8(ascii: "@")
    self = isWhole ? .korean : .english
  }
}
