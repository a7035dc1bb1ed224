import Foundation
import TestSupport
import Testing

/// Debian's snapserver, which plays self-numbered frames from a pipe: the left channel is the lower half of the frame's
/// number, the right channel the upper half. Frames are counted from 1.
final class SnapServer {
  let port = freePort()
  private let controlPort = freePort()
  private let codec: String
  private let sound: [UInt8]
  private let folder: TemporaryFolder
  private var processes: [Process] = []

  /// Starts it.
  /// - Parameter seconds: the length of the sound.
  init(seconds: Int, codec: String = "pcm") throws {
    folder = try TemporaryFolder()
    self.codec = codec
    var sound = [UInt8](repeating: 0, count: seconds * 48_000 * 4)
    for frame in 1...seconds * 48_000 {
      for byte in 0..<3 { sound[(frame - 1) * 4 + byte] = UInt8(frame >> (8 * byte) & 0xFF) }
    }
    self.sound = sound
    try start()
  }

  deinit { stop() }

  /// Starts it again, on the same port, with the first frame.
  func start() throws {
    let pipe = folder.path(of: "pipe\(processes.count)")
    let configuration = """
      [server]
      datadir = \(folder.path)
      [http]
      bind_to_address = 127.0.0.1
      port = \(controlPort)
      [tcp]
      enabled = false
      [stream]
      bind_to_address = 127.0.0.1
      port = \(port)
      source = pipe://\(pipe)?name=test&mode=create&sampleformat=48000:16:2&codec=\(codec)&chunk_ms=20
      source = pipe://\(pipe)b?name=other&mode=create&sampleformat=44100:16:2&codec=\(codec)&chunk_ms=20
      codec = \(codec)
      """
    let server = try run(
      "/usr/bin/env",
      [
        "snapserver", "--config", try folder.write([UInt8](configuration.utf8), as: "configuration"),
        "--logging.sink=null",
      ])
    let file = try folder.write(sound, as: "sound")
    for pipe in [pipe, pipe + "b"] {
      while server.isRunning, !FileManager.default.fileExists(atPath: pipe) { usleep(10_000) }
      _ = try run("/bin/sh", ["-c", "exec cat \"$0\" >\"$1\"", file, pipe])
    }
  }

  /// Has its players play the same frames at 44.1 kHz instead.
  func changeFormat() throws {
    let group = try #require(try status().firstMatch(of: /"groups":\[\{.*?"id":"([-0-9a-f]{36})","muted"/)?.1)
    _ = try ask(#""Group.SetStream", "params": {"id": "\#(group)", "stream_id": "other"}"#)
  }

  /// Its own state and that of all players since its start, as JSON.
  func status() throws -> String { try ask(#""Server.GetStatus""#) }

  private func ask(_ method: String) throws -> String {
    let question = #"{"id": 1, "jsonrpc": "2.0", "method": \#(method)}"#
    return try ForeignProgram.text(
      "curl", ["--silent", "--show-error", "--data", question, "http://127.0.0.1:\(controlPort)/jsonrpc"])
  }

  /// Kills it.
  func stop() {
    for process in processes where process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  private func run(_ program: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    processes.append(process)
    return process
  }
}
