import Foundation
import TestSupport

/// Runs `fieldcorder-monitor` for a test, with its own folder and on a free local port. It ends with the value.
final class Monitor {
  /// Configuration that a ``Session`` needs to connect to it.
  let recorderSettings: String
  let port: UInt16
  let token: String
  /// The path of its configuration file.
  let configurationPath: String
  /// The first lines of its output.
  let firstLines: [String]
  private let folder: TemporaryFolder
  private let process = Process()

  struct NotStarted: Error {
    var lines: [String]
  }

  /// Starts it, and waits until it listens.
  /// - Parameters:
  ///   - settings: lines of `[monitor]` besides the socket and the port.
  ///   - files: files that the settings name, in its folder, as `FOLDER/NAME`.
  init(_ settings: String = "", files: [String: [UInt8]] = [:]) throws {
    folder = try TemporaryFolder()
    for (name, bytes) in files { _ = try folder.write(bytes, as: name) }
    port = freePort()
    // A large buffer, so that the simulated microphone loses no sound while other processes hold the processors.
    recorderSettings = "[audio]\nbuffer_milliseconds = 2000\n[monitor]\nsocket = \(folder.path)/s\n"
    let text = recorderSettings + "port = \(port)\n" + settings.replacingOccurrences(of: "FOLDER", with: folder.path)
    let configuration = try folder.write([UInt8]((text + "\n").utf8), as: "configuration")
    configurationPath = configuration
    // One handle for both outputs: two would overwrite each other's output.
    let output = FileHandle(forWritingAtPath: try folder.write([], as: "output"))
    process.executableURL = try Self.program()
    process.arguments = ["--config", configuration, "--socket", folder.path(of: "s"), "--state", folder.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    var lines: [String] = []
    while process.isRunning, !lines.contains(where: { $0.hasPrefix("listening at ") }) {
      usleep(10_000)
      lines = String(decoding: try folder.read("output"), as: UTF8.self).split(separator: "\n").map(String.init)
    }
    firstLines = lines
    guard process.isRunning else { throw NotStarted(lines: lines) }
    token = String(decoding: try folder.read("token"), as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  static func program() throws -> URL {
    URL(fileURLWithPath: try ProgramUnderTest.path() + "-monitor")
  }

  var isRunning: Bool { process.isRunning }

  var processNumber: Int32 { process.processIdentifier }

  /// The permissions of the token's file.
  func tokenMode() throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "token"))
    return attributes[.posixPermissions] as? Int ?? 0
  }

  /// The URL of a path, with the token.
  func url(_ path: String, scheme: String = "http") -> String { "\(scheme)://127.0.0.1:\(port)\(path)?token=\(token)" }

  /// The content of `/status.json`.
  func status() throws -> [String: Any] {
    let bytes = try ForeignProgram.run("curl", ["-sSf", url("/status.json")])
    return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
  }

  /// Waits until the recorder has passed its memory.
  func waitForRecorder() throws {
    while isRunning, try status()["recorder"] as? Bool != true { usleep(50_000) }
  }

  /// Bytes of its private resident memory.
  func ownMemory() throws -> Int {
    let lines = try String(contentsOfFile: "/proc/\(processNumber)/status", encoding: .utf8).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("RssAnon:") } ?? ""
    return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) * 1024
  }

  /// Begins to download a path.
  func download(_ path: String, _ options: [String] = []) throws -> Download { try Download(url(path), options) }
}

/// A download by curl into a file, until the stream ends.
final class Download {
  private let folder: TemporaryFolder
  private let process = Process()

  init(_ url: String, _ options: [String] = []) throws {
    folder = try TemporaryFolder()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["curl", "-sS", "-N", "-o", folder.path(of: "file")] + options + [url]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// The path of the file.
  var path: String { folder.path(of: "file") }

  /// The bytes received so far.
  func bytes() -> [UInt8] { (try? folder.read("file")) ?? [] }

  /// Waits until this many bytes have arrived, or the download has ended.
  func wait(forBytes count: Int) { while process.isRunning, bytes().count < count { usleep(20_000) } }

  /// Waits until the server ends it.
  /// - Returns: curl's exit status: 0 if the answer was complete.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// A plain TCP client, for behavior that no well-behaved client shows.
final class Socket {
  private var number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

  deinit { close() }

  func close() {
    if number >= 0 { _ = Foundation.close(number) }
    number = -1
  }

  /// - Returns: whether the connection was accepted.
  @discardableResult func connect(port: UInt16, receiveBufferByteCount: Int32? = nil) -> Bool {
    if var size = receiveBufferByteCount {
      unsafe setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    // Bounds the wait for a server that does not answer.
    var patience = timeval(tv_sec: 2, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(number, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = Self.loopback(port: port)
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe Foundation.connect(number, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  func send(_ bytes: [UInt8]) { _ = unsafe Foundation.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  func send(_ text: String) { send([UInt8](text.utf8)) }

  /// - Returns: the bytes received until the server ends the connection, at most `count`.
  func receive(atMost count: Int) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while all.count < count {
      let received = unsafe recv(number, &buffer, buffer.count, 0)
      guard received > 0 else { break }
      all += buffer.prefix(received)
    }
    return all
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
