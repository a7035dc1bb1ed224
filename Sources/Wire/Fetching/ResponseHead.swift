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
  /// The name of a station.
  package private(set) var station: FixedText<128> = ""
  private var byteCount = 0

  /// Nothing was read.
  package init() {}

  /// Whether more came than is read.
  package var isTooLong: Bool { byteCount > Self.byteLimit }

  /// Whether the status is one of success.
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
