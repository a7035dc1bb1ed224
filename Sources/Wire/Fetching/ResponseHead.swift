import Base

/// What the header of a server's response says, line by line.
package struct ResponseHead: BitwiseCopyable, Equatable, Sendable {
  /// More bytes of headers than any server has reason to send.
  package static var byteLimit: Int { 0x10000 }

  /// 0 before the first line.
  package private(set) var status: UInt32 = 0
  /// Nil when the end of the connection tells.
  package private(set) var contentByteCount: UInt64?
  /// Whether an end that is none can be told from one: the body comes in pieces, of which the last is marked.
  package private(set) var isChunked = false
  /// The first byte of a part of a file; nil for a whole one.
  package private(set) var rangeStart: UInt64?
  /// Without parameters.
  package private(set) var contentType: FixedText<48> = ""
  /// Where a redirect leads; truncated when that is too long.
  package private(set) var location: FixedText<512> = ""
  /// Of ``ICYSplitter``; 0 for none.
  package private(set) var metadataInterval = 0
  package private(set) var station: FixedText<128> = ""
  private var byteCount = 0

  package init() {}

  /// Whether more came than is read.
  package var isTooLong: Bool { byteCount > Self.byteLimit }
  package var isSuccess: Bool { status == 200 || status == 206 }

  /// Whether the server leads to another address.
  package var isRedirect: Bool {
    switch status {
    case 301, 302, 303, 307, 308: !location.isEmpty
    default: false
    }
  }

  /// Why a status of failure is one.
  package var problem: FetchProblem {
    switch status {
    case 404, 410: .notThere
    case 401, 403, 407: .denied
    case 0: .malformed
    default: .refused
    }
  }

  /// Reads a line, with or without its end. A status line begins a new header.
  package mutating func read(_ line: Span<UInt8>) {
    let byteCount = byteCount + line.count
    var line = line
    while !line.isEmpty, line[line.count - 1] <= 0x20 { line = line.extracting(droppingLast: 1) }
    if line.removingPrefix("HTTP/") != nil || line.removingPrefix("ICY ") != nil {
      self = ResponseHead()
      status = Self.status(in: line)
    } else {
      readField(line)
    }
    self.byteCount = byteCount
  }

  /// The first number of three digits: after the version, if there is one.
  private static func status(in rest: Span<UInt8>) -> UInt32 {
    var start = 0
    while start + 3 <= rest.count {
      let isAtWord = start == 0 || rest[start - 1] == 0x20
      if isAtWord, let number = rest.extracting(start..<start + 3).parseInteger(as: UInt32.self) { return number }
      start += 1
    }
    return 0
  }

  private mutating func readField(_ line: Span<UInt8>) {
    if let value = Self.value(of: "content-length", in: line) {
      contentByteCount = value.parseInteger(as: UInt64.self)
    } else if let value = Self.value(of: "transfer-encoding", in: line) {
      isChunked = !value.isEmpty
    } else if let value = Self.value(of: "content-range", in: line) {
      rangeStart = Self.start(ofRange: value)
    } else if let value = Self.value(of: "content-type", in: line) {
      var end = 0
      while end < value.count, value[end] != UInt8(ascii: ";"), value[end] != 0x20 { end += 1 }
      contentType = FixedText(value.extracting(first: end))
    } else if let value = Self.value(of: "location", in: line) {
      location = FixedText(value)
    } else if let value = Self.value(of: "icy-metaint", in: line) {
      metadataInterval = min(1 << 24, value.parseInteger(as: Int.self).map { max(0, $0) } ?? 0)
    } else if let value = Self.value(of: "icy-name", in: line) {
      station = FixedText(value)
    }
  }

  /// `bytes 100-199/200`
  private static func start(ofRange value: Span<UInt8>) -> UInt64? {
    guard let rest = value.removingPrefix("bytes ") else { return nil }
    var end = 0
    while end < rest.count, rest[end] != UInt8(ascii: "-") { end += 1 }
    return rest.extracting(first: end).parseInteger(as: UInt64.self)
  }

  /// - Parameter name: in small letters.
  @_lifetime(copy line)
  private static func value(of name: StaticString, in line: Span<UInt8>) -> Span<UInt8>? {
    let count = name.utf8CodeUnitCount
    guard line.count > count, line[count] == UInt8(ascii: ":") else { return nil }
    for index in 0..<count {
      let byte = line[index]
      let small = byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte
      guard small == name.utf8Bytes[index] else { return nil }
    }
    var value = line.extracting(droppingFirst: count + 1)
    while !value.isEmpty, value[0] == 0x20 || value[0] == 0x09 { value = value.extracting(droppingFirst: 1) }
    return value
  }
}

/// The addresses in a playlist: `.m3u` has one a line, `.pls` lines such as `File1=http://…`. They are tried in order
/// until one plays.
package struct PlaylistReader: ~Escapable {
  private let text: Span<UInt8>
  private var start = 0
  /// Whether it is a `.pls`, whose other lines are facts about the entries.
  private var hasKeys = false

  /// - Parameter text: the whole playlist.
  @_lifetime(copy text)
  package init(_ text: Span<UInt8>) { self.text = text }

  /// The next address, absolute or relative to that of the playlist; nil at the end. Lines that are too long for an
  /// address are skipped, and a playlist of pieces, as HLS has it, holds none.
  package mutating func next() -> FixedText<256>? {
    while start < text.count {
      var end = start
      while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
      let line = text.extracting(start..<end)
      start = end + 1
      if line.removingPrefix("#EXT-X-") != nil {
        start = text.count
        return nil
      }
      if let address = address(in: line) { return address }
    }
    return nil
  }

  private mutating func address(in line: Span<UInt8>) -> FixedText<256>? {
    var line = line.withoutSpacesAtEnd
    while !line.isEmpty, line[0] == UInt8(ascii: " ") || line[0] == 0x09 { line = line.extracting(droppingFirst: 1) }
    guard !line.isEmpty, line[0] != UInt8(ascii: "#") else { return nil }
    if line[0] == UInt8(ascii: "[") {
      hasKeys = true
      return nil
    }
    if hasKeys {
      guard let entry = line.removingPrefix("File"), let value = Self.value(in: entry) else { return nil }
      line = value
    }
    let address = FixedText<256>(line)
    return address.isEmpty || address.isTruncated ? nil : address
  }

  /// After the digits and `=` of `File1=`.
  @_lifetime(copy entry)
  private static func value(in entry: Span<UInt8>) -> Span<UInt8>? {
    var index = 0
    while index < entry.count, entry[index] >= 0x30, entry[index] <= 0x39 { index += 1 }
    guard index > 0, index < entry.count, entry[index] == UInt8(ascii: "=") else { return nil }
    return entry.extracting(droppingFirst: index + 1)
  }
}

/// Where an address of the Internet Protocol lies.
package enum NetworkPlace: Equatable, Sendable {
  /// Anywhere.
  case everywhere
  /// This machine, this link or a private network: only who is there can name it, so no server may lead there.
  case local

  /// Of an address of version 4, its first byte highest (RFC 6890 has the list).
  package init(version4 address: UInt32) {
    func isIn(_ network: UInt32, _ bits: UInt32) -> Bool { address >> (32 - bits) == network >> (32 - bits) }
    let isLocal =
      isIn(0x7F00_0000, 8) || isIn(0x0A00_0000, 8) || isIn(0xAC10_0000, 12) || isIn(0xC0A8_0000, 16)
      || isIn(0xA9FE_0000, 16) || isIn(0x0000_0000, 8) || isIn(0x6440_0000, 10) || isIn(0xC612_0000, 15)
      || isIn(0xE000_0000, 3)
    self = isLocal ? .local : .everywhere
  }

  /// Of an address of version 6, as two numbers, the first bytes highest. One that stands for an address of version 4 is
  /// where that is.
  package init(version6 high: UInt64, _ low: UInt64) {
    let isEmbedded = high == 0 && (low >> 32 == 0xFFFF || low >> 32 == 0) || high == 0x0064_FF9B_0000_0000
    if isEmbedded, low > 1 {
      self.init(version4: UInt32(truncatingIfNeeded: low))
    } else if high >> 48 == 0x2002 {
      self.init(version4: UInt32(truncatingIfNeeded: high >> 16))
    } else {
      // Only 2000::/3 is given to networks that can be reached from everywhere.
      self = high >> 61 == 1 ? .everywhere : .local
    }
  }
}
