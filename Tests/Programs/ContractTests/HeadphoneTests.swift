import Foundation
import TestSupport
import Testing

/// `monitor`: the microphone is heard through the speaker. The simulated microphone picks up the speaker, 20 dB weaker
/// and 5 ms later, so that a take shows the delay.
@Suite struct HeadphoneTests {
  @Test(
    "What is heard is as late as monitor says, also after two minutes on cards whose clocks drift apart",
    arguments: [(0, 0), (200, -200), (-200, 200)])
  func delay(microphonePPM: Int, speakerPPM: Int) throws {
    let configuration = """
      [record]
      what = audio
      preroll_seconds = 0
      [sim]
      echo_db = -20
      echo_milliseconds = 5
      microphone_ppm = \(microphonePPM)
      speaker_ppm = \(speakerPPM)

      """
    let session = try Session(
      [
        "wait 2", "monitor", "monitor on", "wait 120", "monitor", "press record", "wait 5", "press record", "wait 1",
        "monitor off", "wait 1", "press record", "wait 5", "press record", "wait 1", "monitor", "status json", "quit",
      ], configuration: configuration)
    #expect(session.end() == 0)
    let told = try session.lines().filter { $0.hasPrefix("monitor ") }
    #expect(told.count == 3 && told.first == "monitor off" && told.last == "monitor off")
    let line = try #require(told.count > 1 ? told[1] : nil)
    let milliseconds = try #require(line.split(separator: " ").dropFirst(3).first.flatMap { Double($0) }, "\(line)")
    #expect((44...62).contains(milliseconds), "\(line)")
    let takes = session.takes()
    try #require(takes.count == 2)
    let delays = try Self.echoes(in: takes[0])
    #expect(delays.count >= 4)
    for delay in delays { #expect(abs(delay - 5 - milliseconds) < 3, "\(delay) ms, and \(line)") }
    #expect(try Self.echoes(in: takes[1]).isEmpty)
    #expect(try session.statuses().last?.heapAllocationsSinceBootComplete == 0)
  }

  /// The delay after which each click was heard again, in milliseconds.
  private static func echoes(in path: String) throws -> [Double] {
    let samples = try ForeignProgram.decodeSamples(path)
    var delays: [Double] = []
    for click in ClickDetector.onsets(samples, channelCount: 2) {
      let window = (click + 480)..<(click + 14_400)
      guard window.upperBound < samples.count / 2 else { continue }
      if let echo = window.first(where: { abs(samples[$0 * 2]) > 0.02 }) { delays.append(Double(echo - click) / 48) }
    }
    return delays
  }

  @Test("A microphone with another rate than the speaker's, or none, is refused")
  func refuses() throws {
    let other = try Session(
      ["wait 1", "monitor on", "quit"], configuration: "[audio]\nsample_rate = 44100\n[speaker]\nsample_rate = 48000\n")
    #expect(other.end() == 0)
    #expect(
      try other.lines().contains(
        "error: the microphone runs at 44,100 Hz and the speaker at 48,000: set both to the same rate"))
    let closed = try Session(["wait 1", "monitor on", "quit"], configuration: "[record]\narm = press\n")
    #expect(closed.end() == 0)
    #expect(try closed.lines().contains("error: the microphone is not open: arm the recorder first"))
  }
}
