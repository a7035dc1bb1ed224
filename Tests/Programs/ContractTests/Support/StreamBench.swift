import Foundation
import TestSupport

/// A stream server and the fetching service, for one test: both end with the value.
final class StreamBench {
  let folder: TemporaryFolder
  private var server: Process?
  private var service: Process?
  let port = freePort()
  /// Shorter than a temporary folder's path.
  private let socket = "/tmp/fieldcorder-\(UInt64.random(in: 0...UInt64.max)).socket"

  /// Starts both.
  /// - Parameters:
  ///   - files: the bytes of the served files, by name.
  ///   - environment: variables of the service besides those of the test.
  init(_ files: [String: [UInt8]] = [:], environment: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    for (name, bytes) in files { _ = try folder.write(bytes, as: name) }
    try startServer()
    try startService(environment)
  }

  deinit {
    stopServer()
    // SIGKILL, because a process started by a test has other signals blocked.
    if let service { kill(service.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(atPath: socket)
  }

  /// The recorder's configuration, for ``Session``.
  var configuration: String { "[stream]\nsocket = \(socket)\n" }

  /// The address of a file, with a query that tells the server what to do.
  func address(_ name: String, _ query: String = "") -> String {
    "http://127.0.0.1:\(port)/\(name)" + (query.isEmpty ? "" : "?" + query)
  }

  /// Starts the server, on its previous port.
  func startServer() throws {
    let script = ProgramUnderTest.checkout.appendingPathComponent("Tests/Support/StreamServer/server.py").path
    let server = Process()
    let output = Pipe()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments = ["python3", script, folder.path(of: ""), String(port)]
    server.standardOutput = output
    try server.run()
    self.server = server
    var line: [UInt8] = []
    while line.last != 10 {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { throw ForeignProgram.Failure(description: "the server of streams ended") }
      line += part
    }
  }

  func stopServer() {
    guard let server else { return }
    kill(server.processIdentifier, SIGKILL)
    server.waitUntilExit()
    self.server = nil
  }

  private func startService(_ environment: [String: String]) throws {
    let program = URL(fileURLWithPath: try ProgramUnderTest.path()).deletingLastPathComponent()
      .appendingPathComponent("fieldcorder-fetch").path
    let service = Process()
    service.executableURL = URL(fileURLWithPath: program)
    service.arguments = ["--socket", socket]
    service.environment = ProgramUnderTest.environment.merging(environment) { $1 }
    try service.run()
    self.service = service
    while !FileManager.default.fileExists(atPath: socket), service.isRunning { usleep(1_000) }
  }

  /// Kills the service, which leaves its socket, and starts another one there.
  func replaceService() throws {
    if let service {
      kill(service.processIdentifier, SIGKILL)
      service.waitUntilExit()
    }
    func made() -> Date? {
      try? FileManager.default.attributesOfItem(atPath: socket)[.modificationDate] as? Date
    }
    let stale = made()
    try startService([:])
    while isServing, made() ?? stale == stale { usleep(1_000) }
  }

  /// Whether the service still accepts connections.
  var isServing: Bool { service?.isRunning ?? false }

  /// Body bytes that the server has passed to the kernel.
  func sentByteCount() throws -> Int {
    let script = "import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:\(port)/sent').read().decode())"
    return Int(try ForeignProgram.text("python3", ["-c", script])) ?? 0
  }

  /// The number of connections to the server before this query.
  func connectionCount() throws -> Int {
    let address = "http://127.0.0.1:\(port)/connections"
    let script = "import urllib.request; print(urllib.request.urlopen('\(address)').read().decode())"
    return Int(try ForeignProgram.text("python3", ["-c", script])) ?? 0
  }

  /// A sine as MP3.
  /// - Parameter options: ffmpeg's encoding options.
  static func mp3(seconds: Double, rateHz: Int = 44_100, options: [String] = ["-b:a", "128k"]) throws -> [UInt8] {
    try ForeignProgram.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "sine=440:sample_rate=\(rateHz):duration=\(seconds)", "-ac", "2",
        "-codec:a", "libmp3lame",
      ] + options + ["-f", "mp3", "-"])
  }

  /// What ffmpeg decodes from a file of the same bytes.
  static func reference(_ bytes: [UInt8], _ format: String = "mp3") throws -> [UInt8] {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try ForeignProgram.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", format, "-i", try folder.write(bytes, as: "sound")]
        + ["-f", "s16le", "-ac", "2", "-"])
  }
}
