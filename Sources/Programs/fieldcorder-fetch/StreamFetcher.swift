import Base
import CCurl
import CLinux
import Machine
import Wire

/// Fetches one stream into a pipe until it ends, or until the recorder gives it up.
struct StreamFetcher: ~Copyable {
  /// As many as browsers follow: podcasts lead through the services that count their listeners.
  private static var redirectLimit: Int { 20 }
  /// A longer chain of playlists is unlikely to lead to a stream.
  private static var playlistLimit: Int { 16 }

  enum Ending {
    case finished
    /// The recorder has given up the stream.
    case cut
    case failed(FetchProblem)
  }

  private var address: StreamAddress
  private var transfer: Transfer

  init(_ address: consuming StreamAddress, _ transfer: consuming Transfer) {
    self.address = address
    self.transfer = transfer
  }

  /// How often a server is asked again that is busy from the beginning.
  private static var retryLimit: Int { 4 }

  mutating func run() {
    var backOff = BackOff()
    var retryCount = 0
    while true {
      switch fetch() {
      case .cut: return
      case .finished: return transfer.tell(.finished)
      case .failed(let problem):
        if transfer.hasDelivered { backOff.renew() }
        let pause = retryCount < Self.retryLimit ? transfer.head.retryMilliseconds : nil
        guard transfer.hasEverDelivered || pause != nil, var milliseconds = backOff.next() else {
          return transfer.tell(.failed(problem))
        }
        if let pause {
          retryCount += 1
          milliseconds = max(milliseconds, pause)
        }
        transfer.tell(.reconnecting(milliseconds: milliseconds, problem))
        guard transfer.rest(milliseconds: milliseconds) else { return }
      }
    }
  }

  /// One attempt, starting from the address that the user named.
  private mutating func fetch() -> Ending {
    guard address.returnToNamed() else { return .failed(.badAddress) }
    var redirectCount = 0
    // Nested playlists, and the next entry of each. A playlist that contains another one is loaded again after it.
    var entries = InlineArray<4, Int>(repeating: 0)
    var depth = 0
    var isReturning = false
    var playlistCount = 0
    transfer.hasDelivered = false
    while true {
      var problem: FetchProblem?
      switch transfer.load(address) {
      case .ended(.failed(let reason)) where depth > 0 && !transfer.hasDelivered && !isReturning: problem = reason
      case .ended(let ending): return ending
      case .again: continue
      case .redirect:
        redirectCount += 1
        guard redirectCount <= Self.redirectLimit else { return .failed(.tooManyRedirects) }
        problem = address.follow(transfer.head.location)
        if let problem, depth == 0 { return .failed(problem) }
      case .playlist:
        problem = transfer.playlistProblem
        playlistCount += 1
        // A playlist that refers to itself has no end.
        guard playlistCount <= Self.playlistLimit else { return .failed(.noStream) }
        let isTooDeep = depth == entries.count && !isReturning
        if isTooDeep {
          address.return(toPlaylist: depth - 1)
          problem = nil
        } else if !isReturning {
          address.rememberPlaylist(depth)
          entries[depth] = 0
          depth += 1
        }
        isReturning = isTooDeep
      }
      while let reason = problem {
        guard depth > 0 else { return .failed(reason) }
        if let next = transfer.playlistEntry(entries[depth - 1]) {
          redirectCount = 0
          entries[depth - 1] += 1
          problem = address.follow(next, fromPlaylist: depth - 1)
        } else if depth > 1 {
          depth -= 1
          problem = nil
          isReturning = true
          address.return(toPlaylist: depth - 1)
        } else {
          return .failed(reason)
        }
      }
    }
  }
}

/// The address that the user named, and the one it has led to.
@safe struct StreamAddress: ~Copyable {
  // Safe: both are owned by the value until it ends.
  private let named: OpaquePointer
  let current: OpaquePointer
  private let isNamed: Bool
  /// The addresses of nested playlists.
  private var playlists = InlineArray<4, FixedText<2048>>(repeating: "")

  /// - Returns: nil if there is no memory.
  init?(_ text: FixedText<256>) {
    guard let current = unsafe curl_url(), let named = unsafe curl_url() else { return nil }
    unsafe self.current = current
    unsafe self.named = named
    isNamed = unsafe Self.set(named, text)
  }

  /// The address of a Snapcast server.
  /// - Parameter server: its name, and perhaps its port.
  init?(server: Span<UInt8>) {
    var address: FixedText<256> = "http://"
    address.append(bytes: server)
    self.init(address)
    guard returnToNamed(), unsafe Self.part(CURLUPART_PORT, of: current).isEmpty else { return }
    unsafe Self.set(CURLUPART_PORT, of: current, to: "\(SnapcastLimits.port)")
  }

  deinit {
    unsafe curl_url_cleanup(current)
    unsafe curl_url_cleanup(named)
  }

  /// - Returns: false if it is not an address.
  func returnToNamed() -> Bool {
    guard isNamed else { return false }
    let text: FixedText<2048> = unsafe Self.text(CURLUPART_URL, of: named)
    return unsafe Self.set(current, text)
  }

  /// Whether the host is the one that the user named, which may be in any network.
  var isNamedHost: Bool { isAsNamed(CURLUPART_HOST) }

  private func isAsNamed(_ part: CURLUPart) -> Bool {
    let (there, wanted) = unsafe (Self.part(part, of: current), Self.part(part, of: named))
    guard there.byteCount == wanted.byteCount else { return false }
    for index in there.bytes.indices where there.bytes[index].lowercased != wanted.bytes[index].lowercased {
      return false
    }
    return true
  }

  /// Whether its path has a playlist's file extension.
  var isPlaylist: Bool {
    let path = unsafe Self.part(CURLUPART_PATH, of: current)
    var start = path.byteCount
    while start > 0, path.bytes[start - 1] != UInt8(ascii: ".") { start -= 1 }
    return path.bytes.extracting(droppingFirst: start).isWord(of: "m3u m3u8 pls xspf asx wax wvx ram")
  }

  /// Remembers the playlist's address, to which all its entries are relative, wherever earlier entries led.
  mutating func rememberPlaylist(_ depth: Int) { playlists[depth] = unsafe Self.text(CURLUPART_URL, of: current) }

  func `return`(toPlaylist depth: Int) { _ = unsafe Self.set(current, playlists[depth]) }

  /// Goes to another address, absolute or relative to the present one.
  /// - Returns: why that failed; nil if it did not.
  func follow<let capacity: Int>(_ target: FixedText<capacity>, fromPlaylist depth: Int? = nil) -> FetchProblem? {
    guard !target.isTruncated else { return .malformed }
    if let depth { `return`(toPlaylist: depth) }
    guard unsafe Self.set(current, target) else { return .badAddress }
    let scheme = unsafe Self.part(CURLUPART_SCHEME, of: current)
    guard scheme == "http" || scheme == "https" else { return .forbiddenScheme }
    rememberUser()
    return nil
  }

  /// A user and password that the user named apply to the whole of that server, and to no other.
  private func rememberUser() {
    guard unsafe Self.part(CURLUPART_USER, of: current).isEmpty, isAsNamed(CURLUPART_SCHEME), isNamedHost,
      isAsNamed(CURLUPART_PORT)
    else { return }
    let (user, password) = unsafe (Self.part(CURLUPART_USER, of: named), Self.part(CURLUPART_PASSWORD, of: named))
    if !user.isEmpty { unsafe Self.set(CURLUPART_USER, of: current, to: user) }
    if !password.isEmpty { unsafe Self.set(CURLUPART_PASSWORD, of: current, to: password) }
  }

  /// Spaces and non-ASCII letters are escaped as servers expect them.
  private static func set<let capacity: Int>(_ address: OpaquePointer, _ text: FixedText<capacity>) -> Bool {
    let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE)
    let plain: FixedText<capacity> = text.bytes.plainAddress()
    return unsafe plain.withCString { unsafe curl_url_set(address, CURLUPART_URL, $0, flags) } == CURLUE_OK
  }

  private static func set(_ part: CURLUPart, of address: OpaquePointer, to text: FixedText<256>) {
    _ = unsafe text.withCString { unsafe curl_url_set(address, part, $0, 0) }
  }

  private static func text<let capacity: Int>(_ part: CURLUPart, of address: OpaquePointer) -> FixedText<capacity> {
    var text: UnsafeMutablePointer<CChar>?
    let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
    guard unsafe curl_url_get(address, part, &text, flags) == CURLUE_OK else { return "" }
    defer { unsafe curl_free(text) }
    return unsafe FixedText(cString: text)
  }

  private static func part(_ part: CURLUPart, of address: OpaquePointer) -> FixedText<256> {
    unsafe text(part, of: address)
  }
}

/// The end of an Ogg file (RFC 3533, 6): its last page gives the length of the sound.
struct OggTail: BitwiseCopyable {
  /// A page has at most 65,307 bytes, so the last one begins within this many bytes of the end.
  static var byteCount: UInt64 { 0x10000 }

  /// The length of the part of a page header that is read.
  private static var headByteCount: Int { 18 }
  private static var firstContent: Int { 28 }

  private var serial: UInt64 = 0
  /// The most recent bytes.
  private var head = InlineArray<18, UInt8>(repeating: 0)
  /// The position after the last page; nil if that page belongs to another stream, so that there are several.
  private(set) var position: UInt64?

  /// - Parameter bytes: the file's first bytes.
  /// - Returns: nil unless they are an audio page whose positions count samples.
  init?(after bytes: Span<UInt8>) {
    guard bytes.count > Self.firstContent, bytes.removingPrefix("OggS") != nil, bytes[26] == 1 else { return nil }
    let content = bytes.extracting(droppingFirst: Self.firstContent)
    let isCounted =
      content.removingPrefix("OpusHead") != nil || content.removingPrefix("\u{01}vorbis") != nil
      || content.removingPrefix("\u{7F}FLAC") != nil || content.removingPrefix("Speex   ") != nil
    guard isCounted else { return nil }
    for index in 0..<Self.headByteCount { head[index] = bytes[index] }
    serial = number(at: 14, byteCount: 4)
  }

  mutating func read(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      for place in 1..<Self.headByteCount { head[place - 1] = head[place] }
      head[Self.headByteCount - 1] = bytes[index]
      if head.span.removingPrefix("OggS\0") != nil { readPage() }
    }
  }

  private mutating func readPage() {
    guard number(at: 14, byteCount: 4) == serial else {
      position = nil
      return
    }
    // Pages on which no packet ends have no position.
    let found = number(at: 6, byteCount: 8)
    if found < 1 << 62 { position = found }
  }

  private func number(at place: Int, byteCount: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in (place..<place + byteCount).reversed() { number = number << 8 | UInt64(head[index]) }
    return number
  }
}
