import Base
import CCurl
import CLinux
import Machine
import Wire

/// Fetches one stream into a pipe until it ends, or nobody wants it any more.
struct StreamFetcher: ~Copyable {
  /// RFC 9110, section 15.4, leaves the number to the client.
  private static var redirectLimit: Int { 5 }

  enum Ending {
    case finished
    /// The recorder does not want it any more.
    case cut
    case failed(FetchProblem)
  }

  private let address: StreamAddress
  private var transfer: Transfer

  init(_ address: consuming StreamAddress, _ transfer: consuming Transfer) {
    self.address = address
    self.transfer = transfer
  }

  mutating func run() {
    var backOff = BackOff()
    while true {
      switch fetch() {
      case .cut: return
      case .finished: return transfer.tell(.finished)
      case .failed(let problem):
        if transfer.hasDelivered { backOff.renew() }
        guard transfer.hasEverDelivered, let milliseconds = backOff.next() else {
          return transfer.tell(.failed(problem))
        }
        transfer.tell(.reconnecting(milliseconds: milliseconds, problem))
        guard transfer.rest(milliseconds: milliseconds) else { return }
      }
    }
  }

  /// One attempt, from the address that was named on.
  private mutating func fetch() -> Ending {
    guard address.returnToNamed() else { return .failed(.badAddress) }
    var redirectCount = 0
    var entry = 0
    var isListed = false
    transfer.hasDelivered = false
    while true {
      var problem: FetchProblem?
      switch transfer.load(address) {
      case .ended(.failed(let reason)) where isListed && !transfer.hasDelivered: problem = reason
      case .ended(let ending): return ending
      case .redirect:
        redirectCount += 1
        guard redirectCount <= Self.redirectLimit else { return .failed(.tooManyRedirects) }
        problem = address.follow(transfer.head.location)
        if let problem, !isListed { return .failed(problem) }
      case .playlist:
        // A playlist of playlists leads nowhere soon.
        guard !isListed else { return .failed(.noStream) }
        isListed = true
        address.rememberPlaylist()
        problem = .noStream
      }
      while let reason = problem {
        guard let next = transfer.playlistEntry(entry) else { return .failed(reason) }
        entry += 1
        problem = address.follow(next, fromPlaylist: true)
      }
    }
  }
}

/// The address that was named, and the one to which it has led.
@safe struct StreamAddress: ~Copyable {
  private let named: FixedText<256>
  // Sound: both are owned by the value until it ends.
  let current: OpaquePointer
  private let playlist: OpaquePointer
  private let namedHost: FixedText<256>

  /// - Returns: nil for none, and without memory.
  init?(_ named: FixedText<256>) {
    guard let current = unsafe curl_url(), let playlist = unsafe curl_url() else { return nil }
    self.named = named
    unsafe self.current = current
    unsafe self.playlist = playlist
    guard unsafe Self.set(current, FixedText<512>(named.bytes)) else {
      namedHost = ""
      return
    }
    namedHost = unsafe Self.part(CURLUPART_HOST, of: current)
  }

  /// Of a server of Snapcast's protocol.
  /// - Parameter server: its name, and perhaps its port.
  init?(server: Span<UInt8>) {
    var address: FixedText<256> = "http://"
    address.append(bytes: server)
    self.init(address)
    guard unsafe Self.part(CURLUPART_PORT, of: current).isEmpty else { return }
    let port: FixedText<8> = "\(SnapcastLimits.port)"
    _ = unsafe port.withCString { unsafe curl_url_set(current, CURLUPART_PORT, $0, 0) }
  }

  deinit {
    unsafe curl_url_cleanup(current)
    unsafe curl_url_cleanup(playlist)
  }

  /// - Returns: false when it is no address.
  func returnToNamed() -> Bool { unsafe Self.set(current, FixedText<512>(named.bytes)) }

  /// Whether the host is the one that the user named: then it may be anywhere.
  var isNamedHost: Bool { unsafe Self.part(CURLUPART_HOST, of: current) == namedHost }

  /// Whether its path ends as that of a playlist.
  var isPlaylist: Bool {
    let path = unsafe Self.part(CURLUPART_PATH, of: current)
    return path.bytes.hasSuffix(".m3u") || path.bytes.hasSuffix(".pls") || path.bytes.hasSuffix(".m3u8")
  }

  /// Entries are relative to the playlist, wherever others of them led.
  func rememberPlaylist() { unsafe Self.copy(current, to: playlist) }

  /// Goes to another address, absolute or relative to the present one.
  /// - Returns: why it does not.
  func follow<let capacity: Int>(_ target: FixedText<capacity>, fromPlaylist: Bool = false) -> FetchProblem? {
    guard !target.isTruncated else { return .malformed }
    if fromPlaylist { unsafe Self.copy(playlist, to: current) }
    guard unsafe Self.set(current, FixedText<512>(target.bytes)) else { return .badAddress }
    let scheme = unsafe Self.part(CURLUPART_SCHEME, of: current)
    return scheme == "http" || scheme == "https" ? nil : .forbiddenScheme
  }

  private static func set(_ address: OpaquePointer, _ text: FixedText<512>) -> Bool {
    unsafe text.withCString { unsafe curl_url_set(address, CURLUPART_URL, $0, 0) } == CURLUE_OK
  }

  private static func copy(_ source: OpaquePointer, to target: OpaquePointer) {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(source, CURLUPART_URL, &text, 0) == CURLUE_OK else { return }
    unsafe curl_url_set(target, CURLUPART_URL, text, 0)
    unsafe curl_free(text)
  }

  private static func part(_ part: CURLUPart, of address: OpaquePointer) -> FixedText<256> {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(address, part, &text, 0) == CURLUE_OK else { return "" }
    defer { unsafe curl_free(text) }
    return unsafe FixedText(cString: text)
  }
}
