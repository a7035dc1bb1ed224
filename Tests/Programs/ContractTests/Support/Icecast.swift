import Foundation
import TestSupport
import Testing

/// Debian's Icecast on a free port of this machine. It ends with the value.
final class Icecast {
  static let password = "of the sources"
  /// Who may send to `/field.opus`.
  static let user = "field"
  private static let adminPassword = "of the admin"
  let port = freePort()
  private let folder: TemporaryFolder
  private var process: Process?

  init() throws {
    folder = try TemporaryFolder()
    // As root it has to change to another user, who must be able to write its logs.
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    let owner = geteuid() == 0 ? "<changeowner><user>nobody</user><group>nogroup</group></changeowner>" : ""
    let configuration = """
      <icecast>
        <limits><clients>300</clients><sources>2</sources><queue-size>4000000</queue-size>
          <client-timeout>300</client-timeout><header-timeout>300</header-timeout></limits>
        <authentication><source-password>\(Self.password)</source-password>
          <admin-user>admin</admin-user><admin-password>\(Self.adminPassword)</admin-password></authentication>
        <mount><mount-name>/field.opus</mount-name><username>\(Self.user)</username>
          <password>\(Self.password)</password></mount>
        <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
        <paths><logdir>\(folder.path)</logdir><webroot>/usr/share/icecast2/web</webroot>
          <adminroot>/usr/share/icecast2/admin</adminroot></paths>
        <security><chroot>0</chroot>\(owner)</security>
      </icecast>
      """
    _ = try folder.write([UInt8](configuration.utf8), as: "icecast.xml")
  }

  deinit { stop() }

  /// Starts it, and waits until it listens.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/icecast2")
    process.arguments = ["-c", folder.path(of: "icecast.xml")]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    while !Socket().connect(port: port) {
      guard process.isRunning else { throw ended }
      usleep(50_000)
    }
  }

  /// An error that Icecast ended by itself, with its log.
  private var ended: ForeignProgram.Failure {
    let log = String(decoding: (try? folder.read("error.log")) ?? [], as: UTF8.self)
    return ForeignProgram.Failure(description: "icecast2 ended: \(log)")
  }

  func stop() {
    guard let process, process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }

  /// A source client that sends an MP3 file to a mount point at playback speed, and another that changes the title
  /// there every half second, in turns. Both end with the value.
  final class Station {
    private let folder: TemporaryFolder
    private let process = Process()

    init(_ mp3: [UInt8], titles: [String], at icecast: Icecast, mount: String) throws {
      folder = try TemporaryFolder()
      let file = try folder.write(mp3, as: "file.mp3")
      let server = "127.0.0.1:\(icecast.port)"
      let password = Icecast.password.replacingOccurrences(of: " ", with: "%20")
      let script = """
        trap 'kill $source' EXIT
        ffmpeg -v error -re -i '\(file)' -c copy -write_xing 0 -id3v2_version 0 -content_type audio/mpeg -f mp3 \
          'icecast://source:\(password)@\(server)\(mount)' </dev/null & source=$!
        while kill -0 $source; do
          for title in \(titles.map { "'\($0)'" }.joined(separator: " ")); do
            curl -s -o /dev/null -u 'admin:\(Icecast.adminPassword)' -G 'http://\(server)/admin/metadata' \
              -d mode=updinfo -d 'mount=\(mount)' --data-urlencode "song=$title"
            sleep 0.5
          done
        done
        """
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", script]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      let address = "http://\(server)\(mount)"
      while process.isRunning, !icecast.isSent(address) { usleep(100_000) }
    }

    deinit { process.terminate() }
  }

  /// Waits until this many listeners have received some seconds of the relay's sound at the same time, and decodes the
  /// last one's.
  func hear(listenerCount: Int) throws {
    let address = "http://127.0.0.1:\(port)/field.opus"
    func isRunning() -> Bool { process?.isRunning == true }
    while isRunning(), !isSent(address) { usleep(100_000) }
    let heard = try TemporaryFolder()
    let curl = Process()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    curl.arguments = [
      "curl", "-sSf", "-N", "-Z", "--parallel-immediate", "--parallel-max", "\(listenerCount)", "-o",
      heard.path(of: "#1"),
      // Icecast's backlog is 5 connections, and the system drops the others: those retry, as players do.
      "--connect-timeout", "5", "--speed-limit", "1", "--speed-time", "20", "--retry", "300", "--retry-delay", "1",
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
      // A listener this far behind the first will not catch up.
    } while isRunning() && curl.isRunning && least < 100_000 && most < 8_000_000
    guard isRunning() else { throw ended }
    try #require(least >= 100_000, "one listener got \(least) bytes, another \(most)")
    #expect(try ForeignProgram.decodeSamples(heard.path(of: "\(listenerCount)")).count > 200_000)
  }

  /// Whether the relay has logged in: curl receives sound until its time is up.
  func isSent(_ address: String) -> Bool {
    let status = try? ForeignProgram.text(
      "sh", ["-c", "curl -s -m 1 -o /dev/null -w '%{http_code}' '\(address)' || true"])
    return status == "200"
  }
}
