import Base
import Foundation
import Kit
import TestSupport
import Testing

@Suite struct TunerWorkerTests {
  @Test(
    "In every sample format the newest second is heard, wherever it lies in the ring",
    arguments: [SampleFormat.int16, .int24, .float32])
  func hears(sampleFormat: SampleFormat) throws {
    let rig = try ListeningRig(AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: sampleFormat))
    rig.play(hertz: 220, seconds: 0.5)
    #expect(try rig.listen() == .tooSoon)
    for hertz in [220, 329.63, 82.41, 987.77] {
      rig.play(hertz: hertz, seconds: 1.3)
      guard case .pitch(let found) = try rig.listen() else { throw NothingThere() }
      #expect(abs(1200 * log2(found / hertz)) < 0.1, "\(hertz) Hz")
    }
    rig.play(hertz: 100, seconds: 1, level: 0)
    #expect(try rig.listen() == .noPitch)
    #expect(try rig.listen(rateHz: 44_100) == .otherRate)
    // In so short a ring the oldest samples of a second may be overwritten while they are read.
    let mono = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: sampleFormat)
    let short = try ListeningRig(mono, seconds: 1)
    short.play(hertz: 220, seconds: 2)
    #expect(try short.listen() == .tooSoon)
  }

  @Test(
    "A pitch is told as the nearest note, and how far it is from it, by any reference",
    arguments: [
      (440, 440, "A4", 0), (441, 440, "A4", 3.93), (82.41, 440, "E2", 0.05), (415, 415, "A4", 0),
      (440, 466, "G#4", 0.6),
      (27.5, 440, "A0", 0), (4186.01, 440, "C8", 0), (246.94, 440, "B3", 0), (452.9, 440, "A#4", -49.98),
    ])
  func names(hertz: Double, reference: Double, name: String, cents: Double) {
    let note = TunedNote(hertz: hertz, referenceHertz: reference)
    #expect(String(note.name) == name)
    #expect(abs(note.cents - cents) < 0.06, "\(note.cents)")
  }

  @Test("The needle stands where the pitch is")
  func points() {
    func needle(_ cents: Double) -> String {
      String(TunedNote(hertz: 440 * pow(2, cents / 1200), referenceHertz: 440).needle)
    }
    #expect(needle(0) == String(repeating: ".", count: 20) + "^" + String(repeating: ".", count: 20))
    #expect(needle(10).firstIndex(of: "^").map { needle(10).distance(from: needle(10).startIndex, to: $0) } == 24)
    #expect(needle(-49.9).first == "^" && needle(49.9).last == "^")
    #expect(needle(-20).contains("|"))
  }
}
