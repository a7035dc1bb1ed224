import Base
import CLinux
import Foundation
import Machine
import TestSupport
import Testing
import Wire

/// The real program's sandbox, as the kernel reports it.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["FIELDCORDER_BINARY"] != nil))
struct DecoderSandboxTests {
  @Test(
    "While it plays or probes, it can open, start and gain nothing more, and has limits", arguments: [8_192, 0])
  func isShutIn(ringByteCount: Int) throws {
    let rig = try DecoderRig()
    let decoder = try started(rig, ringByteCount: ringByteCount)
    let process = try number(of: decoder)
    let status = try fields(of: process, "status")
    #expect(status["Seccomp"] == "2")
    #expect(status["NoNewPrivs"] == "1")
    #expect(status["CapEff"] == "0000000000000000")
    #expect(status["Uid"]?.contains("\t0") == false)
    #expect(status["Uid"]?.hasPrefix("0\t") == false)
    #expect(status["Threads"] == (ringByteCount > 0 ? "2" : "1"))
    let limits = try limits(of: process)
    #expect(limits["Max processes"] == "0")
    #expect(limits["Max file size"] == "0")
    #expect(limits["Max core file size"] == "0")
    #expect(limits["Max open files"] == "64")
    #expect(limits["Max locked memory"] == "0")
    let memory = try #require(limits["Max address space"].flatMap { Int($0) })
    #expect(memory < 1 << 30)
    let seconds = try #require(limits["Max cpu time"].flatMap { Int($0) })
    #expect((5...30).contains(seconds))
    #expect(try text(of: process, "oom_score_adj") == "500")
  }

  @Test("It has its socket and its ring open and nothing else of the recorder's", arguments: [8_192, 0])
  func inheritsNothing(ringByteCount: Int) throws {
    let rig = try DecoderRig()
    // As a careless library might leave one: not closed on exec.
    let careless = unsafe open("/dev/zero", O_RDONLY)
    defer { close(careless) }
    let decoder = try started(rig, ringByteCount: ringByteCount)
    let folder = "/proc/\(try number(of: decoder))/fd"
    // Only root may read this.
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    let open = try names.map { try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    let nothing = open.filter { $0 == "/dev/null" }
    let rest = open.filter { $0 != "/dev/null" }.map { $0.prefix(7) }.sorted()
    #expect(nothing.count == 3)
    #expect(rest == (ringByteCount > 0 ? ["/memfd:", "socket:"] : ["socket:"]))
  }

  @Test("It ends with the thread that started it, though its socket is still open")
  func endsWithItsParent() throws {
    let rig = try DecoderRig()
    let kept = KeptDecoder(try decoder(rig, ringByteCount: 8_192))
    let thread = Thread {
      try? kept.decoder.start()
      kept.first = try? kept.decoder.receive(waitNanoseconds: 60_000_000_000)
    }
    thread.start()
    while !thread.isFinished { usleep(1000) }
    #expect(kept.first == .ready)
    let failure = #expect(throws: DeviceFailure.self) {
      _ = try kept.decoder.receive(waitNanoseconds: 60_000_000_000)
    }
    #expect(failure.map { String($0.subject) } == "fieldcorder-decode (signal 9)")
  }

  @Test("Without its recorder, or with an invalid command line, it ends by itself")
  func refusesToRunAlone() throws {
    for words in [
      [], ["--socket", "7"],
      ["--socket", "0", "--ring-bytes", "0", "--rate", "1", "--channels", "1", "--format", "s16"],
    ] {
      let process = Process()
      process.executableURL = try program()
      process.arguments = words
      process.standardInput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus != 0)
    }
  }

  private func program() throws -> URL {
    let recorder = URL(fileURLWithPath: try #require(ProcessInfo.processInfo.environment["FIELDCORDER_BINARY"]))
    return recorder.deletingLastPathComponent().appendingPathComponent("fieldcorder-decode")
  }

  private func decoder(_ rig: borrowing DecoderRig, ringByteCount: Int) throws -> DecoderProcess {
    try DecoderProcess(
      program: FixedText(program().path), dataFolder: FixedText(rig.folder.path), ringByteCount: ringByteCount,
      format: DecoderRig.format, isInStep: false)
  }

  private func started(_ rig: borrowing DecoderRig, ringByteCount: Int) throws -> DecoderProcess {
    var decoder = try decoder(rig, ringByteCount: ringByteCount)
    try decoder.start()
    guard try decoder.receive(waitNanoseconds: 60_000_000_000) == .ready else { throw NothingThere() }
    return decoder
  }

  private func number(of decoder: borrowing DecoderProcess) throws -> Int32 {
    let number = decoder.processNumber
    return try #require(number)
  }

  private func text(of process: Int32, _ name: String) throws -> String {
    try String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8).trimmingCharacters(in: .newlines)
  }

  /// Lines such as `Seccomp:	2`.
  private func fields(of process: Int32, _ name: String) throws -> [String: String] {
    var fields: [String: String] = [:]
    for line in try text(of: process, name).split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[String(parts[0])] = parts.last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return fields
  }

  /// Lines with columns: name, soft limit, hard limit, unit.
  private func limits(of process: Int32) throws -> [String: String] {
    var limits: [String: String] = [:]
    for line in try text(of: process, "limits").split(separator: "\n") {
      let name = line.prefix(26).trimmingCharacters(in: .whitespaces)
      limits[name] = line.dropFirst(26).split(separator: " ").first.map(String.init)
    }
    return limits
  }

  /// Used by two threads in turn: one starts it, the other receives.
  private final class KeptDecoder: @unchecked Sendable {
    var decoder: DecoderProcess
    var first: DecoderMessage?

    init(_ decoder: consuming DecoderProcess) { self.decoder = decoder }
  }
}
