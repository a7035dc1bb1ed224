import Base
import Foundation
import Kit
import TestSupport

/// A ring into which a tone is written, and the worker that listens.
final class ListeningRig {
  let format: AudioFormat
  private var producer: SampleRingProducer
  private var consumer: SampleRingConsumer
  private var client: JobClientEnd<TunerRequest, TunerReply>
  private var chords: JobClientEnd<ChordRequest, ChordReply>
  private var peaks: JobClientEnd<TruePeakRequest, TruePeakReply>
  private var tests: JobClientEnd<SoundTestRequest, SoundTestReply>
  private var worker: TunerWorker
  private var frame = 0

  init(_ format: AudioFormat, seconds: Int = 3) throws {
    var memory = leakedBootMemory()
    let byteCount = seconds * Int(format.sampleRateHz) * format.bytesPerFrame
    let ring = try unwrapped(
      SampleRing(capacityBytes: byteCount, bytesPerFrame: format.bytesPerFrame, in: &memory))
    let channel = try unwrapped(
      JobChannel<TunerRequest, TunerReply>(requestCapacity: 1, answerCapacity: 2, in: &memory))
    let chords = try unwrapped(
      JobChannel<ChordRequest, ChordReply>(requestCapacity: 1, answerCapacity: 2, in: &memory))
    let peaks = try unwrapped(
      JobChannel<TruePeakRequest, TruePeakReply>(requestCapacity: 1, answerCapacity: 2, in: &memory))
    let tests = try unwrapped(
      JobChannel<SoundTestRequest, SoundTestReply>(requestCapacity: 1, answerCapacity: 2, in: &memory))
    let triggers = try unwrapped(
      JobChannel<TriggerRequest, TriggerReply>(requestCapacity: 1, answerCapacity: 2, in: &memory))
    let timecodes = try unwrapped(
      JobChannel<TimecodeRequest, TimecodeReply>(requestCapacity: 1, answerCapacity: 2, in: &memory))
    let worker = try unwrapped(
      TunerWorker(
        tap: ring.tap, sampleRateHz: format.sampleRateHz, pitches: channel.worker, chords: chords.worker,
        peaks: peaks.worker, tests: tests.worker, triggers: triggers.worker,
        timecodes: timecodes.worker, in: &memory))
    self.format = format
    producer = ring.producer
    consumer = ring.consumer
    client = channel.client
    self.chords = chords.client
    self.peaks = peaks.client
    self.tests = tests.client
    self.worker = worker
  }

  func play(hertz: Double, seconds: Double, level: Double = 0.3) {
    let rate = Double(format.sampleRateHz)
    play((frame..<frame + Int(seconds * rate)).map { level * sin(2 * .pi * hertz * Double($0) / rate) })
  }

  /// Writes the same samples to all channels.
  func play(_ samples: [Double]) {
    for value in samples {
      let sample = bytes(value)
      var piece = producer.acquire(maximumFrames: 1)
      for index in 0..<Int(format.channelCount) * sample.count {
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

  func listen(rateHz: UInt32? = nil) throws -> TunerReply {
    var asked = format
    asked.sampleRateHz = rateHz ?? format.sampleRateHz
    _ = client.requests.push(Ticketed(ticket: 1, value: asked))
    _ = worker.step()
    return try unwrapped(client.answers.pop()).value
  }

  /// Writes one sample per channel.
  func play(frame samples: [Double]) {
    let sample = samples.flatMap(bytes)
    var piece = producer.acquire(maximumFrames: 1)
    for index in sample.indices { piece.storeBytes(of: sample[index], toByteOffset: index, as: UInt8.self) }
    producer.commit(frameCount: 1)
    consumer.release(before: consumer.end)
    frame += 1
  }

  func test(_ request: SoundTestRequest) throws -> SoundTestReply {
    _ = tests.requests.push(Ticketed(ticket: 1, value: request))
    _ = worker.step()
    return try unwrapped(tests.answers.pop()).value
  }

  func truePeaks(from start: TimelinePosition = 0) throws -> TruePeakReply {
    _ = peaks.requests.push(Ticketed(ticket: 1, value: TruePeakRequest(format: format, start: start)))
    _ = worker.step()
    return try unwrapped(peaks.answers.pop()).value
  }

  func listen(for name: ChordName, seconds: Double, rateHz: UInt32? = nil) throws -> ChordReply {
    var asked = format
    asked.sampleRateHz = rateHz ?? format.sampleRateHz
    _ = chords.requests.push(
      Ticketed(ticket: 1, value: ChordRequest(format: asked, name: name, seconds: seconds)))
    _ = worker.step()
    return try unwrapped(chords.answers.pop()).value
  }
}
