import Base
import TestSupport
import Testing
import Wire

/// What is told of a file when it is listed and when it is opened, and what is heard of it.
struct FileFindings {
  let listedSeconds: Double
  let seconds: Double
  let title: String
  let heard: [UInt8]

  init(of path: String, _ format: AudioFormat) throws {
    let bench = try DecoderBench(format)
    let listed = try bench.probe(path).get()
    let opened = try bench.open(path).get()
    var heard: [UInt8] = []
    #expect(try bench.play { heard += $0 }.hasEnded)
    listedSeconds = listed.durationSeconds
    seconds = opened.durationSeconds
    title = String(listed.title)
    self.heard = heard
  }

  /// Both lengths that are told.
  var lengths: [Double] { [listedSeconds, seconds] }
}
