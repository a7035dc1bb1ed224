import Base
import CLinux
import CSandbox
import Machine
import Wire

/// Takes connections of the recorder. Each is for one stream or one search, and gets a process of its own: what a hostile
/// server does to it ends with it.
struct FetchServer: ~Copyable {
  /// One that plays, one that follows, a search, and some that are about to end.
  private static var streamLimit: Int { 8 }
  /// Beyond the loaded libraries: a connection with TLS takes 2 MB, and the name service a thread with a stack of 8 MB.
  private static var memoryByteCount: Int { 64 << 20 }
  /// Its streams, the socket, the link, the pipe, two connections, and what asks the name service.
  private static var descriptorCount: UInt32 { 32 }
  /// How long a recorder that has connected may take to say what it wants.
  private static var orderMilliseconds: Int32 { 5000 }

  private let listener: FileDescriptor
  private let certificates: FixedText<256>?
  private var streamCount = 0

  /// - Returns: nil when the system refuses to take rights away.
  init?(_ listener: consuming FileDescriptor, _ certificates: FixedText<256>?) {
    self.listener = listener
    self.certificates = certificates
    guard sandbox_drop_rights() == 0 else { return nil }
  }

  /// Returns when nothing can be listened to any more.
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

  /// The life of the process of one stream or search.
  private func serve(_ link: consuming FileDescriptor) -> Never {
    close(listener.number)
    if sandbox_limit(Self.memoryByteCount, Self.descriptorCount) == 0 { Self.fetch(link, certificates) }
    _exit(ExitStatus.done)
  }

  private static func fetch(_ link: consuming FileDescriptor, _ certificates: FixedText<256>?) {
    var waiting = pollfd(fd: link.number, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, orderMilliseconds) == 1 else { return }
    var bytes = InlineArray<256, UInt8>(repeating: 0)
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
    if let server = order.address.bytes.removingPrefix("snapcast://") {
      guard let address = StreamAddress(server: server), var receiver = SnapcastReceiver(address, link, pipe) else {
        return
      }
      return receiver.run()
    }
    guard let parts = TransferParts(), let address = StreamAddress(order.address) else { return }
    var fetcher = StreamFetcher(address, Transfer(parts, link, pipe, certificates))
    fetcher.run()
  }
}
