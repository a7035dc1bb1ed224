import Base

/// The header of a server's response, parsed line by line.
package struct ResponseHead: BitwiseCopyable, Equatable, Sendable {
  /// The limit for a header: more bytes than any server has reason to send.
  package static var byteLimit: Int { 0x10000 }

  /// 0 before the first line.
  package private(set) var status: UInt32 = 0
  /// Nil if the body ends with the connection.
  package private(set) var contentByteCount: UInt64?
  /// Whether a truncated body can be detected: it is sent in chunks, of which the last is marked.
  package private(set) var isChunked = false
  /// Whether the body is compressed: its length is not that of its content.
  package private(set) var isCompressed = false
  /// The first byte of a partial response; nil for a whole file.
  package private(set) var rangeStart: UInt64?
  /// The size of the file of which a part was requested; nil if the server does not state it.
  package private(set) var wholeByteCount: UInt64?
  /// Without its parameters.
  package private(set) var contentType: FixedText<48> = ""
  /// The target of a redirect; truncated if it is too long.
  package private(set) var location: FixedText<2048> = ""
  /// The interval for ``ICYSplitter``; 0 for none.
  package private(set) var metadataInterval = 0
  package private(set) var station: FixedText<128> = ""
  /// Whether it says anything of a station.
  package private(set) var isStation = false
  /// After how many seconds a busy server wants to be asked again; nil if it does not say.
  private var retrySeconds: UInt32?
  private var byteCount = 0

  package init() {}

  /// Whether the header exceeds the limit.
  package var isTooLong: Bool { byteCount > Self.byteLimit }
  /// Whether the body's end can be told from a lost connection.
  package var isComplete: Bool { isChunked || contentByteCount != nil }
  package var isSuccess: Bool { status == 200 || status == 203 || status == 206 }

  /// The longest pause that a listener would sit through.
  private static var longestRetrySeconds: UInt32 { 30 }

  /// How long to wait before a busy server is asked again; nil if it does not want that, or not so soon.
  package var retryMilliseconds: UInt32? {
    guard status == 429 || status == 503, let retrySeconds, retrySeconds <= Self.longestRetrySeconds else { return nil }
    return 1000 * retrySeconds
  }

  /// Whether the response redirects to another address.
  package var isRedirect: Bool {
    switch status {
    case 300, 301, 302, 303, 307, 308: !location.isEmpty
    default: false
    }
  }

  /// The problem that an error status stands for.
  package var problem: FetchProblem {
    switch status {
    case 404, 410: .notThere
    case 401: .locked
    case 403, 407: .denied
    case 0: .malformed
    default: .refused
    }
  }

  /// Parses a line, with or without its line ending. A status line begins a new header.
  package mutating func read(_ line: Span<UInt8>) {
    let byteCount = byteCount + line.count
    var line = line
    while !line.isEmpty, line[line.count - 1] <= 0x20 { line = line.extracting(droppingLast: 1) }
    if line.removingPrefix("HTTP/") != nil || line.removingPrefix("HTTP ") != nil || line.removingPrefix("ICY ") != nil
    {
      self = ResponseHead()
      status = Self.status(in: line)
    } else {
      readField(line)
    }
    self.byteCount = byteCount
  }

  /// The first three-digit number: after the version, if there is one.
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
    if line.removingPrefix(ignoringCase: "icy-") != nil || line.removingPrefix(ignoringCase: "ice-") != nil {
      isStation = true
    }
    if let value = Self.value(of: "content-length", in: line) {
      contentByteCount = value.parseInteger(as: UInt64.self)
    } else if let value = Self.value(of: "transfer-encoding", in: line) {
      isChunked = !value.isEmpty
    } else if let value = Self.value(of: "content-encoding", in: line) {
      isCompressed = !value.isEmpty && !value.isWord(of: "identity")
    } else if let value = Self.value(of: "content-range", in: line) {
      readRange(value)
    } else if let value = Self.value(of: "content-type", in: line) {
      var end = 0
      while end < value.count, value[end] != UInt8(ascii: ";"), value[end] != 0x20 { end += 1 }
      contentType = FixedText(value.extracting(first: end))
    } else if let value = Self.value(of: "location", in: line) {
      location = FixedText(value)
    } else if let value = Self.value(of: "icy-metaint", in: line) {
      metadataInterval = min(1 << 24, value.parseInteger(as: Int.self).map { max(0, $0) } ?? 0)
    } else if let value = Self.value(of: "retry-after", in: line) {
      retrySeconds = value.parseInteger(as: UInt32.self)
    } else if let value = Self.value(of: "icy-name", in: line) {
      station = FixedText(value)
    }
  }

  /// `bytes 100-199/200`; `bytes */200` if the file has no such part.
  private mutating func readRange(_ value: Span<UInt8>) {
    guard let rest = value.removingPrefix(ignoringCase: "bytes") else { return }
    let range = rest.trimmed
    var (dash, slash) = (range.count, range.count)
    for index in range.indices.reversed() {
      if range[index] == UInt8(ascii: "-") { dash = index }
      if range[index] == UInt8(ascii: "/") { slash = index }
    }
    rangeStart = range.extracting(first: dash).parseInteger(as: UInt64.self)
    wholeByteCount = range.extracting(droppingFirst: min(slash + 1, range.count)).parseInteger(as: UInt64.self)
  }

  /// - Parameter name: in lower case.
  @_lifetime(copy line)
  private static func value(of name: StaticString, in line: Span<UInt8>) -> Span<UInt8>? {
    let count = name.utf8CodeUnitCount
    guard line.count > count, line[count] == UInt8(ascii: ":"), line.removingPrefix(ignoringCase: name) != nil else {
      return nil
    }
    return line.extracting(droppingFirst: count + 1).trimmed
  }
}

/// The reach of an Internet Protocol address.
package enum NetworkPlace: Equatable, Sendable {
  /// Globally reachable.
  case everywhere
  /// This machine, this link or a private network: only somebody there can name it, so no server may refer to it.
  case local

  /// Classifies an IPv4 address, given with its first byte highest (RFC 6890 has the list).
  package init(version4 address: UInt32) {
    func isIn(_ network: UInt32, _ bits: UInt32) -> Bool { address >> (32 - bits) == network >> (32 - bits) }
    let isLocal =
      isIn(0x7F00_0000, 8) || isIn(0x0A00_0000, 8) || isIn(0xAC10_0000, 12) || isIn(0xC0A8_0000, 16)
      || isIn(0xA9FE_0000, 16) || isIn(0x0000_0000, 8) || isIn(0x6440_0000, 10) || isIn(0xC612_0000, 15)
      || isIn(0xE000_0000, 3)
    self = isLocal ? .local : .everywhere
  }

  /// Classifies an IPv6 address, given as two numbers with the first byte highest. One that embeds an IPv4 address has
  /// the reach of that.
  package init(version6 high: UInt64, _ low: UInt64) {
    let isEmbedded = high == 0 && (low >> 32 == 0xFFFF || low >> 32 == 0) || high == 0x0064_FF9B_0000_0000
    if isEmbedded, low > 1 {
      self.init(version4: UInt32(truncatingIfNeeded: low))
    } else if high >> 48 == 0x2002 {
      self.init(version4: UInt32(truncatingIfNeeded: high >> 16))
    } else {
      // Only 2000::/3 is allocated to globally reachable networks.
      self = high >> 61 == 1 ? .everywhere : .local
    }
  }
}
