import Base
import Foundation
import Machine
import TestSupport
import Wire

/// A data folder, and a stand-in for the decoder's program.
struct DecoderRig: ~Copyable {
  static let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  static let ringByteCount = 8_192
  /// It is built into the folder of the tests.
  static let standIn: FixedText<256> = {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    return FixedText(tests.appendingPathComponent("stand-in-decoder").path)
  }()

  let folder: TemporaryFolder

  init(files: [String: String] = [:]) throws {
    let folder = try TemporaryFolder()
    for (path, content) in files {
      let url = URL(fileURLWithPath: folder.path(of: path))
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content.utf8).write(to: url)
    }
    self.folder = folder
  }

  func decoder(program: FixedText<256> = standIn) throws -> DecoderProcess {
    try DecoderProcess(
      program: program, dataFolder: FixedText(folder.path), ringByteCount: Self.ringByteCount, format: Self.format,
      isInStep: false)
  }

  func startedDecoder() throws -> DecoderProcess {
    var decoder = try decoder()
    try decoder.start()
    guard try decoder.receive(waitNanoseconds: 60_000_000_000) == .ready else { throw NothingThere() }
    return decoder
  }
}
