import CLinux

/// The service manager's socket (sd_notify(3)), on which it expects messages from the recorder. It is connected once,
/// for the life of the process; sending never blocks, and nothing is received.
package struct ServiceManager: Sendable {
  private let socket: Int32
  /// The watchdog timeout: the longest time between two calls of ``feed()`` before it ends the recorder.
  package let timeoutNanoseconds: UInt64

  /// - Returns: nil if nobody watches this process: `NOTIFY_SOCKET` or `WATCHDOG_USEC` is missing, or is meant for
  ///   another process.
  package init?() {
    guard let microseconds = Self.number("WATCHDOG_USEC"), microseconds > 0 else { return nil }
    if let process = Self.number("WATCHDOG_PID"), process != UInt64(getpid()) { return nil }
    let number = unsafe getenv(Self.name("NOTIFY_SOCKET")).map { unsafe linux_connect_datagrams($0) } ?? -1
    guard number >= 0 else { return nil }
    socket = number
    timeoutNanoseconds = microseconds * 1000
  }

  /// Reports that the recorder is alive.
  package func feed() { send("WATCHDOG=1") }

  /// Reports that the loop has ended. The workers have at most ten minutes to finish; nobody feeds the watchdog any
  /// more.
  package func announceEnd() { send("STOPPING=1\nWATCHDOG_USEC=600000000") }

  private func send(_ text: StaticString) {
    _ = unsafe linux_send_packet(socket, text.utf8Start, text.utf8CodeUnitCount, -1)
  }

  private static func number(_ name: StaticString) -> UInt64? {
    guard let text = unsafe getenv(Self.name(name)) else { return nil }
    var number: UInt64 = 0
    var index = 0
    while unsafe text[index] != 0 {
      let digit = unsafe UInt64(UInt8(bitPattern: text[index])) &- 48
      guard digit <= 9, index < 15 else { return nil }
      number = number * 10 + digit
      index += 1
    }
    return index > 0 ? number : nil
  }

  private static func name(_ name: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
