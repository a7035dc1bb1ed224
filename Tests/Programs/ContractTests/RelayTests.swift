import Foundation
import TestSupport
import Testing

/// Debian's Icecast server passes the relay's stream on to more listeners than the device could serve.
@Suite(.serialized) struct RelayTests {
  @Test("Two hundred listen through Icecast, which may be away and come back, and the take is whole")
  func twoHundred() throws {
    let icecast = try Icecast()
    let monitor = try Monitor(
      "icecast = http://\(Icecast.user)@127.0.0.1:\(icecast.port)/field.opus\nicecast_password = FOLDER/password\n"
        + "token = FOLDER/token",
      // As an editor of another system ends it.
      files: ["password": [UInt8]("\(Icecast.password)\r\n".utf8), "token": [UInt8]("0123456789abcdef\n".utf8)])
    let relay = try Relay(configurationPath: monitor.configurationPath)
    let session = try Session(
      ["wait 1", "press record", "wait 86400"], clock: .real,
      configuration: monitor.recorderSettings + "[video]\nwidth = 160\nheight = 120\nframe_rate = 5\n")
    // Icecast starts last; until then the relay keeps trying.
    for listenerCount in [200, 1] {
      try icecast.start()
      do { try icecast.hear(listenerCount: listenerCount) } catch { Issue.record(error, "\(relay.lines)") }
      icecast.stop()
    }
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
        "fieldcorder-relay: 127.0.0.1 refuses: is /field.opus free, has it room for a source, and is the password in "
          + "the file that of source?; it is tried again"
      ])
    session.send(SIGTERM)
    #expect(session.end() == 0)
    let folder = try TemporaryFolder()
    let nowhere = try Relay(configurationPath: try folder.write([], as: "configuration"))
    #expect(nowhere.end() == 2)
    #expect(nowhere.lines.first?.contains("set [monitor] icecast in ") == true, "\(nowhere.lines)")
  }
}

/// Runs `fieldcorder-relay` for a test; the process ends with the value.
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

  /// Its output.
  var lines: [String] {
    String(decoding: (try? folder.read("output")) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}
