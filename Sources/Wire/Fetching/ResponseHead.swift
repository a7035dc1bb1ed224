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
  /// Of the file of which a part was asked for; nil when it is not told.
  package private(set) var wholeByteCount: UInt64?
  /// Without parameters.
  package private(set) var contentType: FixedText<48> = ""
  /// Where a redirect leads; truncated when that is too long.
  package private(set) var location: FixedText<2048> = ""
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
      readRange(value)
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

  /// `bytes 100-199/200`; of a file that has no such part, `bytes */200`.
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

  /// - Parameter name: in small letters.
  @_lifetime(copy line)
  private static func value(of name: StaticString, in line: Span<UInt8>) -> Span<UInt8>? {
    let count = name.utf8CodeUnitCount
    guard line.count > count, line[count] == UInt8(ascii: ":"), line.removingPrefix(ignoringCase: name) != nil else {
      return nil
    }
    return line.extracting(droppingFirst: count + 1).trimmed
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

  /// Of an address of version 6, as two numbers, the first bytes highest. One that stands for an address of version 4
  /// is where that is.
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
