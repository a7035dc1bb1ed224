extension MediaItem {
  /// Whether the item comes from a server: it cannot be seeked in, and may have no end.
  package var isStream: Bool { path.isStreamAddress }

  /// Whether the item is a stream that plays in sync with its server's other players.
  package var isSynced: Bool { path.isSyncedAddress }

  /// The path without secrets, safe to show to anyone.
  package var shownPath: FixedText<256> { path.isStreamAddress ? path.bytes.hidingSecrets() : path }
}

extension FixedText {
  package var isStreamAddress: Bool {
    bytes.removingPrefix(ignoringCase: "http://") != nil || bytes.removingPrefix(ignoringCase: "https://") != nil
      || bytes.removingPrefix(ignoringCase: "icy://") != nil || isSyncedAddress
  }

  /// Whether this is the address of a Snapcast server.
  package var isSyncedAddress: Bool { bytes.removingPrefix(ignoringCase: "snapcast://") != nil }
}

extension Span where Element == UInt8 {
  /// The text with each secret in its addresses replaced by `***`: a user and a password before the host, and the value
  /// of a parameter whose name suggests a credential.
  package func hidingSecrets<let capacity: Int>() -> FixedText<capacity> {
    var text = FixedText<capacity>()
    var index = 0
    var end = 0
    while index < count {
      if index >= end, extracting(droppingFirst: index).removingPrefix("://") != nil {
        end = endOfAddress(from: index)
        text.append("://")
        index += 3
        if let sign = endOfUser(in: index..<end) {
          text.append("***")
          index = sign
        }
      } else if index < end, self[index].separatesParameters, let value = secretValue(in: index + 1..<end) {
        text.append(bytes: extracting(index..<value.lowerBound))
        text.append("***")
        index = value.upperBound
      } else {
        text.append(byte: self[index])
        index += 1
      }
    }
    return text
  }

  /// The address as a server knows it: players write `icy` for HTTP, and what is to be sent behind the address, as in
  /// `http://host/live|User-Agent=VLC`, which is left out. Windows separates folders by `\`.
  package func plainAddress<let capacity: Int>() -> FixedText<capacity> {
    var address = FixedText<capacity>()
    var text = self
    // What is before the path, perhaps a password, keeps its letters.
    var slashesToPath = contains("://") ? 3 : 0
    if let rest = removingPrefix(ignoringCase: "icy://") {
      address.append("http://")
      text = rest
      slashesToPath = 1
    }
    for index in text.indices {
      var byte = text[index]
      if byte == UInt8(ascii: "|"), text.extracting(droppingFirst: index + 1).isOption { return address }
      if byte == UInt8(ascii: "/") { slashesToPath -= 1 }
      if byte == UInt8(ascii: "?") { slashesToPath = .max }
      if slashesToPath <= 0, byte == UInt8(ascii: "\\") { byte = UInt8(ascii: "/") }
      address.append(byte: byte)
    }
    return address
  }

  /// What Kodi and others give to a server besides its address.
  private var isOption: Bool {
    guard let end = firstIndex(of: "=") else { return false }
    return extracting(first: end).isWord(
      of:
        "accept accept-language authorization cookie icy-metadata origin referer referrer user-agent verifypeer x-forwarded-for"
    )
  }

  private func endOfAddress(from start: Int) -> Int {
    for index in start..<count where self[index] <= 0x20 || self[index] == UInt8(ascii: "\"") { return index }
    return count
  }

  /// The index of the `@` before the host: the last one, since passwords may contain some too. If the port is not a
  /// number, a password has continued past a `/` or `?` that it should not contain.
  private func endOfUser(in range: Range<Int>) -> Int? {
    var (found, last): (Int?, Int?) = (nil, nil)
    var (isInHost, isInPort, hasOddPort) = (true, false, false)
    for index in range {
      switch self[index] {
      case UInt8(ascii: "@"):
        last = index
        if isInHost { found = index }
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): isInHost = false
      case UInt8(ascii: ":"), UInt8(ascii: "]"): isInPort = self[index] == UInt8(ascii: ":")
      case UInt8(ascii: "0")...UInt8(ascii: "9"): break
      default: if isInHost, isInPort { hasOddPort = true }
      }
    }
    return found ?? (hasOddPort ? last : nil)
  }

  /// The range of the parameter's value if it is secret.
  private func secretValue(in range: Range<Int>) -> Range<Int>? {
    var (sign, end): (Int?, Int) = (nil, range.lowerBound)
    while end < range.upperBound, !self[end].separatesParameters {
      if sign == nil, self[end] == UInt8(ascii: "=") { sign = end }
      end += 1
    }
    guard let sign, extracting(range.lowerBound..<sign).namesSecret else { return nil }
    return sign + 1..<end
  }

  private var namesSecret: Bool {
    if equals(ignoringCase: ("pw" as StaticString).utf8Bytes) { return true }
    for start in indices {
      let rest = extracting(droppingFirst: start)
      var words = secretWords.utf8Bytes
      while !words.isEmpty {
        let word = words.firstWord
        if rest.count >= word.count, rest.extracting(first: word.count).equals(ignoringCase: word) { return true }
        words = words.extracting(droppingFirst: Swift.min(word.count + 1, words.count))
      }
    }
    return false
  }
}

/// Words in the names of parameters that grant access, as stream servers use them.
private let secretWords: StaticString = "auth cookie credential jwt key pass pwd secret session sid sig token"

extension UInt8 {
  fileprivate var separatesParameters: Bool {
    switch self {
    case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"), UInt8(ascii: "|"): true
    default: false
    }
  }
}
