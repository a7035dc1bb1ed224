import Foundation
import TestSupport

/// A take of the recorder itself, recorded on its simulated board.
package struct OwnTake: Sendable, CustomStringConvertible {
  /// The file's name.
  package var name: String
  /// Sample frames per second of the file.
  package var sampleRateHz: Int
  private var configuration: String

  /// The file's name.
  package var description: String { name }

  /// One of each container.
  package static let all: [OwnTake] = [
    OwnTake(
      name: "own.mov", sampleRateHz: 48_000, configuration: "what = video\n[video]\nwidth = 160\nheight = 120\n"),
    OwnTake(
      name: "own.wav", sampleRateHz: 44_100,
      configuration: "what = audio\naudio_format = wav\n[audio]\nsample_rate = 44100\nformat = s16\n"),
    OwnTake(
      name: "own.caf", sampleRateHz: 96_000,
      configuration: "what = audio\naudio_format = caf\n[audio]\nsample_rate = 96000\nformat = float\n"),
    OwnTake(
      name: "own.aiff", sampleRateHz: 48_000,
      configuration: "what = audio\naudio_format = aiff\n[audio]\nchannels = 1\nformat = s24\n"),
  ]

  /// Records the take, unless that has been done already: about four seconds.
  /// - Returns: the path of the file.
  package func path() throws -> String {
    try Zoo.shared.made(name) { path in
      let folder = try TemporaryFolder()
      let file = try folder.write(
        [UInt8](("[record]\npreroll_seconds = 2\n" + configuration).utf8), as: "configuration")
      let script = ["wait 3", "press record", "wait 2", "press record", "wait 2", "quit\n"].joined(separator: "\n")
      let data = folder.path(of: "data")
      try ForeignProgram.run(
        ProgramUnderTest.path(), ["--board", "sim", "--clock", "fast", "--data", data, "--config", file],
        input: [UInt8](script.utf8))
      let names = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? []
      let ending = "." + name.split(separator: ".").last!
      guard let take = names.first(where: { $0.hasSuffix(ending) }) else {
        throw ForeignProgram.Failure(description: "the recorder made no \(name), but \(names)")
      }
      try FileManager.default.moveItem(atPath: data + "/" + take, toPath: path)
    }
  }
}
