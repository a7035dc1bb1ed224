import Foundation
import Pitch
import Rings
import TestSupport
import Testing
import Text
import Values

@Suite struct TunerWorkerTests {
  /// A ring into which a tone is played, and the worker that listens.
  private final class Rig {
    let format: AudioFormat
    private var producer: SampleRingProducer
    private var consumer: SampleRingConsumer
    private var client: ClientEnd<TunerRequest, TunerAnswer>
    private var worker: TunerWorker
    private var frame = 0

    init(_ format: AudioFormat, seconds: Int = 3) throws {
      var memory = leakedBootMemory()
      let byteCount = seconds * Int(format.sampleRateHz) * format.bytesPerFrame
      let ring = try unwrapped(
        SampleRing(capacityBytes: byteCount, bytesPerFrame: format.bytesPerFrame, in: &memory))
      let channel = try unwrapped(
        Channel<TunerRequest, TunerAnswer>(requestCapacity: 1, answerCapacity: 1, in: &memory))
      let worker = try unwrapped(
        TunerWorker(
          tap: ring.tap, sampleRateHz: format.sampleRateHz, requests: channel.worker.requests,
          answers: channel.worker.answers, in: &memory))
      self.format = format
      producer = ring.producer
      consumer = ring.consumer
      client = channel.client
      self.worker = worker
    }

    func play(hertz: Double, seconds: Double, level: Double = 0.3) {
      let end = frame + Int(seconds * Double(format.sampleRateHz))
      while frame < end {
        let sample = bytes(level * sin(2 * .pi * hertz * Double(frame) / Double(format.sampleRateHz)))
        let count = Int(format.channelCount) * sample.count
        var piece = producer.acquire(maximumFrames: 1)
        for index in 0..<count {
          piece.storeBytes(of: sample[index % sample.count], toByteOffset: index, as: UInt8.self)
        }
        producer.commit(frameCount: 1)
        consumer.release(before: consumer.end)
        frame += 1
      }
    }

    private func bytes(_ value: Double) -> [UInt8] {
      let bits: UInt32
      switch format.sampleFormat {
      case .int16: bits = UInt32(bitPattern: Int32(value * 32_767))
      case .int24: bits = UInt32(bitPattern: Int32(value * 8_388_607))
      case .float32: bits = Float(value).bitPattern
      }
      return (0..<format.sampleFormat.bytesPerSample).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
    }

    func listen(rateHz: UInt32? = nil) throws -> TunerAnswer {
      var asked = format
      asked.sampleRateHz = rateHz ?? format.sampleRateHz
      _ = client.requests.push(TunerRequest(format: asked))
      _ = worker.step()
      return try unwrapped(client.answers.pop())
    }
  }

  @Test(
    "In every sample format the newest second is heard, wherever it lies in the ring",
    arguments: [SampleFormat.int16, .int24, .float32])
  func hears(sampleFormat: SampleFormat) throws {
    let rig = try Rig(AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: sampleFormat))
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
    // In so short a ring the oldest of a second may be written over while they are read.
    let short = try Rig(AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: sampleFormat), seconds: 1)
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
