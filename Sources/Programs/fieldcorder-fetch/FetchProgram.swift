import Base
import CCurl
import CLinux
import CSandbox
import Machine
import Wire

enum FetchProgram {
  static let software: StaticString = "fieldcorder-fetch 0.1.0"

  static func run(_ words: inout ArgumentList) -> Int32 {
    var path: FixedText<128>?
    var certificates: FixedText<256>?
    while let word: FixedText<24> = words.next() {
      if word == "--help" {
        StandardStreams.say(usage)
        return ExitStatus.done
      } else if word == "--version" {
        StandardStreams.say(software)
        return ExitStatus.done
      } else if word == "--socket" {
        path = words.next()
      } else if word == "--certificates" {
        certificates = words.next()
      } else {
        StandardStreams.complain("fieldcorder-fetch: unknown option \(word); see --help" as FixedText<80>)
        return ExitStatus.refused
      }
    }
    guard let listener = listener(at: path) else {
      StandardStreams.complain("fieldcorder-fetch: needs a socket: of systemd, or --socket PATH, where nothing is yet")
      return ExitStatus.refused
    }
    linux_ignore_broken_pipes()
    guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, var server = FetchServer(listener, certificates)
    else {
      StandardStreams.complain("fieldcorder-fetch: the system refuses what it needs")
      return ExitStatus.failed
    }
    server.run()
    return ExitStatus.failed
  }

  /// The socket that systemd passes is descriptor 3 (sd_listen_fds).
  private static func listener(at path: FixedText<128>?) -> FileDescriptor? {
    if let path {
      let number = unsafe path.withCString { unsafe linux_listen_for_packets($0) }
      return number >= 0 ? FileDescriptor(owning: number) : nil
    }
    guard environmentNumber("LISTEN_PID") == Int(getpid()), environmentNumber("LISTEN_FDS") == 1 else { return nil }
    _ = linux_never_wait(3)
    return FileDescriptor(owning: 3)
  }

  private static func environmentNumber(_ name: FixedText<16>) -> Int? {
    let value = unsafe name.withCString { unsafe FixedText<16>(cString: getenv($0)) }
    return value.bytes.parseInteger(as: Int.self)
  }

  private static let usage: StaticString = """
    fieldcorder-fetch 0.1.0: fetches streams for fieldcorder

    usage: fieldcorder-fetch [--socket PATH] [--certificates FILE]
      --socket PATH        listen there; without it, systemd has made the socket
      --certificates FILE  trusted certificates, instead of the system's
      --help, --version    print this, or the version
    """
}

/// The entry point for C's start-up code: the package manager links this name as `main`.
@_cdecl("fieldcorder_fetch_main")
public func main(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  var words = unsafe ArgumentList(count: count, words: words)
  return FetchProgram.run(&words)
}

/// Accepts connections from the recorder. Each is for one stream or one search, and gets a process of its own, so that
/// a hostile server can harm only that process.
struct FetchServer: ~Copyable {
  /// One that plays, one for the next item, a search, and some that are about to end.
  private static var streamLimit: Int { 8 }
  /// On top of the loaded libraries: a TLS connection takes 2 MB, and name resolution a thread with a stack of 8 MB.
  private static var memoryByteCount: Int { 64 << 20 }
  /// The standard streams, the socket, the link, the pipe, two connections, and those of the name resolver.
  private static var descriptorCount: UInt32 { 32 }
  /// How long a connected recorder may take to send its order.
  private static var orderMilliseconds: Int32 { 5000 }

  private let listener: FileDescriptor
  private let certificates: FixedText<256>?
  private var streamCount = 0

  /// - Returns: nil if the system refuses to drop rights.
  init?(_ listener: consuming FileDescriptor, _ certificates: FixedText<256>?) {
    self.listener = listener
    self.certificates = certificates
    guard sandbox_drop_rights() == 0 else { return nil }
  }

  /// Returns when the socket can no longer be polled.
  mutating func run() {
    while true {
      var waiting = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
      guard retryingWhenInterrupted({ Int(unsafe poll(&waiting, 1, -1)) }) >= 0 else { return }
      while waitpid(-1, nil, WNOHANG) > 0 { streamCount -= 1 }
      let number = linux_take_connection(listener.number)
      guard number >= 0 else { continue }
      let link = FileDescriptor(owning: number)
      guard streamCount < Self.streamLimit else { continue }
      let process = linux_divide()
      if process == 0 { serve(link) }
      if process > 0 { streamCount += 1 }
    }
  }

  /// The process of one stream or search.
  private func serve(_ link: consuming FileDescriptor) -> Never {
    close(listener.number)
    if sandbox_limit(Self.memoryByteCount, Self.descriptorCount) == 0 { Self.fetch(link, certificates) }
    _exit(ExitStatus.done)
  }

  private static func fetch(_ link: consuming FileDescriptor, _ certificates: FixedText<256>?) {
    var waiting = pollfd(fd: link.number, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, orderMilliseconds) == 1 else { return }
    var bytes = InlineArray<272, UInt8>(repeating: 0)
    var number: Int32 = -1
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer {
      unsafe linux_receive_packet(link.number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT), &number)
    }
    guard count > 0, count <= bytes.count else { return }
    if let order = unsafe SearchOrder(decoding: bytes.span.extracting(first: count).bytes) {
      return ServerSearch.run(order, link)
    }
    guard number >= 0 else { return }
    let pipe = FileDescriptor(owning: number)
    guard let order = unsafe FetchOrder(decoding: bytes.span.extracting(first: count).bytes) else { return }
    if let server = order.address.bytes.removingPrefix(ignoringCase: "snapcast://") {
      guard let address = StreamAddress(server: server),
        var receiver = SnapcastReceiver(address, order.identity, link, pipe)
      else { return }
      return receiver.run()
    }
    guard let parts = TransferParts(), let address = StreamAddress(order.address) else { return }
    var fetcher = StreamFetcher(address, Transfer(parts, link, pipe, certificates))
    fetcher.run()
  }
}
