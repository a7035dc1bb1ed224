import Foundation

/// A TCP port of this machine with no listener, which no other test gets while this process lives.
///
/// It lies below the kernel's ephemeral ports. One of those could be taken while a test restarts a server: by any
/// connection made meanwhile, even by the server's own client, connected to itself.
package func freePort() -> UInt16 {
  let kernels = (try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)) ?? ""
  let first = kernels.split(whereSeparator: \.isWhitespace).first.flatMap { UInt16($0) } ?? 32_768
  while true {
    let port = UInt16.random(in: 10_000..<max(first, 20_000))
    if isReserved(port), isFree(port) { return port }
  }
}

/// Reserves the port's number among the tests on this machine.
/// - Returns: whether it was still free.
private func isReserved(_ port: UInt16) -> Bool {
  // An abstract socket name, which exists in no folder, and ends with the process that holds the socket.
  let name = [0] + "fieldcorder-test-port-\(port)".utf8
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
  let number = boundSocket(AF_UNIX, to: &address)
  return number != nil
}

private func isFree(_ port: UInt16) -> Bool {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  guard let number = boundSocket(AF_INET, to: &address) else { return false }
  close(number)
  return true
}

/// - Returns: an open socket; nil if the address is in use.
private func boundSocket<Address>(_ family: Int32, to address: inout Address) -> Int32? {
  let number = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
    // Safe: bind reads no more than it is told.
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      unsafe bind(number, pointer, socklen_t(MemoryLayout<Address>.size))
    }
  }
  if result == 0 { return number }
  close(number)
  return nil
}
