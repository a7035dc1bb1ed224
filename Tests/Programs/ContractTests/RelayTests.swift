import Foundation
import TestSupport
import Testing

/// Debian's Icecast server hands on what the relay sends it, to more listeners than the device could serve.
@Suite(.serialized) struct RelayTests {
  @Test("Two hundred listen through Icecast, which may be away and come back, and the take is whole")
  func twoHundred() throws {
    let icecast = try Icecast()
    let monitor = try Monitor(
      "icecast = http://127.0.0.1:\(icecast.port)/field.opus\nicecast_password = FOLDER/password\ntoken = FOLDER/token",
      files: ["password": [UInt8](Icecast.password.utf8), "token": [UInt8]("0123456789abcdef\n".utf8)])
    let relay = try Relay(configurationPath: monitor.configurationPath)
    let session = try Session(
      ["wait 1", "press record", "wait 86400"], clock: .real,
      configuration: monitor.recorderSettings + "[video]\nwidth = 160\nheight = 120\nframe_rate = 5\n")
    // Icecast comes last: until then the relay tries again.
    try icecast.start()
    try icecast.hear(listenerCount: 200)
    icecast.stop()
    try icecast.start()
    try icecast.hear(listenerCount: 1)
    session.send(SIGTERM)
    #expect(session.end() == 0)
    #expect(try session.complaints().isEmpty)
    let movie = try RecordedMovie(try #require(session.takes().first))
    #expect(movie.firstGap == nil)
    #expect(relay.lines.contains("sending to 127.0.0.1, /field.opus"))
  }

  @Test("A token that the monitor has not made yet is waited for")
  func waitsForToken() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "token")
    _ = try folder.write([UInt8]("a".utf8), as: "password")
    let settings =
      "[monitor]\nicecast = http://127.0.0.1:1/a\nicecast_password = \(folder.path(of: "password"))\ntoken = \(path)\nport = 1\n"
    let relay = try Relay(configurationPath: try folder.write([UInt8](settings.utf8), as: "configuration"))
    while relay.isRunning, relay.lines.isEmpty { usleep(50_000) }
    _ = try folder.write([UInt8]("0123456789abcdef\n".utf8), as: "token")
    while relay.isRunning, relay.lines.count < 2 { usleep(50_000) }
    #expect(
      relay.lines == [
        "fieldcorder-relay: \(path) cannot be read: make it, and give the program's user the right to; it is tried again",
        "fieldcorder-relay: fieldcorder-monitor does not listen at 127.0.0.1, port 1: start it; it is tried again",
      ])
  }

  @Test("A wrong password is told with the remedy, once, and a configuration without a server is refused")
  func tells() throws {
    let icecast = try Icecast()
    try icecast.start()
    let monitor = try Monitor(
      "icecast = http://127.0.0.1:\(icecast.port)/field.opus\nicecast_password = FOLDER/password\ntoken = FOLDER/token",
      files: ["password": [UInt8]("wrong".utf8), "token": [UInt8]("0123456789abcdef\n".utf8)])
    let session = try Session(["wait 86400"], clock: .real, configuration: monitor.recorderSettings)
    try monitor.waitForRecorder()
    let relay = try Relay(configurationPath: monitor.configurationPath)
    while relay.isRunning, !relay.lines.contains(where: { $0.contains("refuses") }) { usleep(50_000) }
    #expect(
      relay.lines == [
        "fieldcorder-relay: 127.0.0.1 refuses: is /field.opus free, and is the password in the file right?; "
          + "it is tried again"
      ])
    session.send(SIGTERM)
    #expect(session.end() == 0)
    let folder = try TemporaryFolder()
    let nowhere = try Relay(configurationPath: try folder.write([], as: "configuration"))
    #expect(nowhere.end() == 2)
    #expect(nowhere.lines.first?.contains("set [monitor] icecast in ") == true, "\(nowhere.lines)")
  }
}

/// `fieldcorder-relay` as a test runs it. It ends with the value.
private final class Relay {
  private let folder: TemporaryFolder
  private let process = Process()

  init(configurationPath: String) throws {
    folder = try TemporaryFolder()
    let output = FileHandle(forWritingAtPath: try folder.write([], as: "output"))
    process.executableURL = URL(fileURLWithPath: try ProgramUnderTest.path() + "-relay")
    process.arguments = ["--config", configurationPath]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var isRunning: Bool { process.isRunning }

  /// What it has said.
  var lines: [String] {
    String(decoding: (try? folder.read("output")) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// Debian's Icecast on a free port of this machine. It ends with the value.
private final class Icecast {
  static let password = "of the sources"
  let port = Monitor.freePort()
  private let folder: TemporaryFolder
  private var process: Process?

  init() throws {
    folder = try TemporaryFolder()
    // As root it insists on becoming somebody else, who has to write its logs.
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    let owner = geteuid() == 0 ? "<changeowner><user>nobody</user><group>nogroup</group></changeowner>" : ""
    let configuration = """
      <icecast>
        <limits><clients>300</clients><sources>2</sources><queue-size>4000000</queue-size>
          <client-timeout>300</client-timeout><header-timeout>300</header-timeout></limits>
        <authentication><source-password>\(Self.password)</source-password></authentication>
        <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
        <paths><logdir>\(folder.path)</logdir><webroot>\(folder.path)</webroot><adminroot>\(folder.path)</adminroot></paths>
        <security><chroot>0</chroot>\(owner)</security>
      </icecast>
      """
    _ = try folder.write([UInt8](configuration.utf8), as: "icecast.xml")
  }

  deinit { stop() }

  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/icecast2")
    process.arguments = ["-c", folder.path(of: "icecast.xml")]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
  }

  func stop() {
    guard let process, process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }

  /// Waits until so many listeners have got some seconds of the relay's sound at the same time, and decodes what the last
  /// one has heard.
  func hear(listenerCount: Int) throws {
    let address = "http://127.0.0.1:\(port)/field.opus"
    while process?.isRunning == true, !isSent(address) { usleep(100_000) }
    let heard = try TemporaryFolder()
    let curl = Process()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    curl.arguments = [
      "curl", "-sSf", "-N", "-Z", "--parallel-immediate", "--parallel-max", "\(listenerCount)", "-o",
      heard.path(of: "#1"),
      // Icecast lets 5 wait to be accepted, and the system drops the others: those come again, as players do.
      "--connect-timeout", "5", "--speed-limit", "1", "--speed-time", "20", "--retry", "1000", "--retry-delay", "1",
      "--retry-all-errors", "\(address)?[1-\(listenerCount)]",
    ]
    curl.standardInput = FileHandle.nullDevice
    curl.standardOutput = FileHandle.nullDevice
    curl.standardError = FileHandle.nullDevice
    try curl.run()
    defer { kill(curl.processIdentifier, SIGKILL) }
    func byteCount(_ number: Int) -> Int {
      let attributes = try? FileManager.default.attributesOfItem(atPath: heard.path(of: "\(number)"))
      return attributes?[.size] as? Int ?? 0
    }
    var (least, most) = (0, 0)
    repeat {
      usleep(100_000)
      let counts = (1...listenerCount).map { byteCount($0) }
      (least, most) = (counts.min() ?? 0, counts.max() ?? 0)
      // Who is so far behind the first will not come any more.
    } while curl.isRunning && least < 100_000 && most < 8_000_000
    #expect(least >= 100_000, "one listener got \(least) bytes, another \(most)")
    #expect(try ForeignProgram.decodeSamples(heard.path(of: "\(listenerCount)")).count > 200_000)
  }

  /// Whether the relay has logged in: curl gets sound until its time is up.
  private func isSent(_ address: String) -> Bool {
    let status = try? ForeignProgram.text(
      "sh", ["-c", "curl -s -m 1 -o /dev/null -w '%{http_code}' '\(address)' || true"])
    return status == "200"
  }
}
