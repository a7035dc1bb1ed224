import Base
import Machine
import MediaZoo
import TestSupport
import Wire

/// A decoder process that only probes, like the library's.
final class ExtractBench {
  private var process: DecoderProcess
  private var requestID: UInt32 = 0

  init() throws {
    let folder = try ProgramUnderTest.path().split(separator: "/").dropLast().joined(separator: "/")
    let setup = DecoderSetup.prober
    process = try DecoderProcess(
      program: FixedText("/" + folder + "/fieldcorder-decode"), dataFolder: "/tmp", ringByteCount: setup.ringByteCount,
      format: setup.format, isInStep: true, isProber: true)
    try start()
  }

  func start() throws {
    try process.start()
    guard try receive() == .ready else { throw DecoderBench.Trouble.unexpected("no ready") }
  }

  /// The process's answer; nil if it refuses the file.
  func extract(_ extract: Extract, _ path: String) throws -> Extracted? {
    requestID += 1
    try process.send(.extract(extract, requestID: requestID), withFileAt: FixedText(path))
    switch try receive() {
    case .extracted(requestID, let content): return content
    case .refused(requestID, _): return nil
    case let other: throw DecoderBench.Trouble.unexpected("\(other)")
    }
  }

  /// The lines of lyrics, each preceded by its time in milliseconds if it has one.
  func lyrics(_ path: String, _ extract: Extract = .lyrics) throws -> [String] {
    guard case .lyrics(let byteCount, _)? = try self.extract(extract, path) else { return [] }
    var reader = LyricsReader(byteCount: Int(byteCount))
    var lines: [String] = []
    while let line = unsafe reader.next(in: process.ringMemory) {
      lines.append((line.milliseconds.map { "\($0) " } ?? "") + String(line.text))
    }
    return lines
  }

  /// The size of the picture, and its bytes.
  func picture(_ path: String) throws -> (width: Int, height: Int, bytes: [UInt8])? {
    guard case .picture(let width, let height)? = try extract(.artwork, path) else { return nil }
    let count = 3 * Int(width) * Int(height)
    return (Int(width), Int(height), unsafe Array(process.ringMemory[..<count]))
  }

  /// Waits for as long as the library does.
  private func receive() throws -> DecoderMessage {
    do throws(DeviceFailure) {
      guard let message = try process.receive(waitNanoseconds: 60_000_000_000) else {
        process.stop()
        throw DeviceFailure(device: .decoder, kind: .failed, subject: "", problem: "is silent", remedy: "")
      }
      return message
    } catch {
      throw DecoderBench.Trouble.crashed(String(error.line))
    }
  }
}
