import Base
import CHTTP
import CLinux
import Configuration
import Machine

/// The address at which the program listens.
struct ListeningPlace {
  /// A chain of certificates, or a key.
  private static var largestPEMByteCount: Int { 65_536 }

  private let address: sockaddr_storage
  private let settings: MonitorSettings

  /// - Throws: when it is no address, or needs TLS and has no certificate.
  init(_ settings: MonitorSettings) throws(Refusal) {
    var address = sockaddr_storage()
    guard unsafe settings.address.withCString({ unsafe http_read_address($0, settings.port, &address) }) == 0 else {
      throw Refusal(
        "[monitor] address = \(settings.address): expected a numeric address, such as 192.168.1.5 or ::1")
    }
    let isFar = unsafe http_reach_of(&address) == http_reach_far
    if isFar, settings.certificatePath == nil {
      throw Refusal(
        """
        [monitor] address = \(settings.address) can be reached from afar, which takes TLS: set [monitor] certificate and \
        key, or an address of this machine or link (127.0.0.1, ::1, 169.254.…, fe80::…)
        """)
    }
    guard (settings.certificatePath == nil) == (settings.keyPath == nil) else {
      throw Refusal("[monitor] certificate and key: expected both or none")
    }
    self.address = address
    self.settings = settings
  }

  /// What to type into a browser, without the token.
  var url: FixedText<160> {
    let isSix = Int32(address.ss_family) == AF_INET6
    let scheme: StaticString = settings.certificatePath == nil ? "http" : "https"
    return isSix
      ? "\(scheme)://[\(settings.address)]:\(settings.port)/" : "\(scheme)://\(settings.address):\(settings.port)/"
  }

  func serve(
    _ settings: MonitorSettings, _ broadcast: UnsafeMutablePointer<Broadcast>
  ) throws(Refusal) -> HTTPServer {
    let certificate = try unsafe settings.certificatePath.map { path throws(Refusal) in try unsafe Self.pem(path) }
    let key = try unsafe settings.keyPath.map { path throws(Refusal) in try unsafe Self.pem(path) }
    guard
      let server = unsafe HTTPServer(
        address, connections: Int(settings.connectionCount), perAddress: Int(settings.connectionsPerAddress), broadcast,
        certificate: certificate, key: key)
    else {
      throw Refusal(
        "cannot listen at \(url) (errno \(lastSystemError)): set [monitor] address to one of this machine, port to a free one, and certificate and key to PEM files"
      )
    }
    return server
  }

  /// A file's content with a 0 behind it; it is kept for the life of the process.
  private static func pem(_ path: FixedText<64>) throws(Refusal) -> UnsafePointer<CChar> {
    guard let file = FileDescriptor(path: path, flags: O_RDONLY),
      let memory = unsafe lockedPages(byteCount: largestPEMByteCount)
    else { throw Refusal("\(path) cannot be read: give the program's user the right to") }
    let count = unsafe read(file.number, memory, largestPEMByteCount - 1)
    guard count > 0 else { throw Refusal("\(path) is empty, or not a file") }
    return unsafe UnsafePointer(memory.assumingMemoryBound(to: CChar.self))
  }
}
