import Foundation
import TestSupport
import Testing

/// A service manager that expects watchdog notifications (sd_notify(3)).
@Suite struct WatchdogTests {
  /// A datagram socket with a name, like systemd's.
  private final class Manager {
    let number: Int32
    let folder: TemporaryFolder
    var path: String { folder.path(of: "notify") }

    init() throws {
      folder = try TemporaryFolder()
      number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let name = Array(path.utf8)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
      let bound = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(bound == 0)
    }

    deinit { close(number) }

    /// The messages received since the last call.
    func messages() -> [String] {
      var messages: [String] = []
      var bytes = [UInt8](repeating: 0, count: 512)
      while true {
        let count = unsafe recv(number, &bytes, bytes.count, 0)
        guard count > 0 else { return messages }
        messages.append(String(decoding: bytes[..<count], as: UTF8.self))
      }
    }
  }

  private func run(
    _ environment: [String: String], _ script: String, meanwhile: (Process) throws -> Void
  ) throws -> Int32 {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try ProgramUnderTest.path())
    process.arguments = ["--board", "sim", "--clock", "real", "--data", folder.path(of: "data")]
    process.environment = ProgramUnderTest.environment.merging(environment) { $1 }
    let input = try folder.write([UInt8](script.utf8), as: "input")
    process.standardInput = FileHandle(forReadingAtPath: input)
    process.standardOutput = FileHandle(forWritingAtPath: try folder.write([], as: "output"))
    try process.run()
    let number = process.processIdentifier
    let patience = DispatchWorkItem { kill(number, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: patience)
    try meanwhile(process)
    process.waitUntilExit()
    patience.cancel()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  @Test("the recorder feeds the watchdog three times in its time, and not while it is stopped")
  func feeds() throws {
    let manager = try Manager()
    let environment = ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "1500000"]
    let status = try run(environment, "wait 9\nquit\n") { process in
      usleep(4_000_000)
      let count = manager.messages().count { $0 == "WATCHDOG=1" }
      #expect((3...9).contains(count), "\(count) in 4 s")
      kill(process.processIdentifier, SIGSTOP)
      usleep(300_000)
      _ = manager.messages()
      usleep(1_500_000)
      #expect(manager.messages().isEmpty)
      kill(process.processIdentifier, SIGCONT)
    }
    #expect(status == 0)
    let last = manager.messages()
    #expect(last.contains("WATCHDOG=1"))
    #expect(last.last == "STOPPING=1\nWATCHDOG_USEC=600000000")
  }

  @Test("without a watchdog, or with that of another process, nothing is sent")
  func silent() throws {
    let manager = try Manager()
    for environment in [
      ["NOTIFY_SOCKET": manager.path], ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "0"],
      ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "300000", "WATCHDOG_PID": "1"],
      ["NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "300000"], ["WATCHDOG_USEC": "300000"],
    ] {
      #expect(try run(environment, "wait 1\nquit\n") { _ in } == 0)
      #expect(manager.messages().isEmpty, "\(environment)")
    }
  }
}
