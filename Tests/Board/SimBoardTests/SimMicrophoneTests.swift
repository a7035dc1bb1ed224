import Base
import Machine
import TestSupport
import Testing

@Suite("Simulated microphone")
struct SimMicrophoneTests {
  private func settings(_ sampleFormat: SampleFormat, rate: UInt32 = 48_000, channels: UInt16 = 2) -> SimSettings {
    var settings = SimSettings()
    settings.seed = 7
    settings.audioFormat = AudioFormat(sampleRateHz: rate, channelCount: channels, sampleFormat: sampleFormat)
    return settings
  }

  /// Samples in 24-bit steps.
  private func decode(_ bytes: [UInt8], as format: SampleFormat) -> [Int32] {
    stride(from: 0, to: bytes.count, by: format.bytesPerSample).map { start in
      let little = (0..<format.bytesPerSample).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[start + $1]) }
      switch format {
      case .int16: return Int32(Int16(truncatingIfNeeded: little)) << 8
      case .int24: return Int32(bitPattern: little << 8) >> 8
      case .float32: return Int32(Float(bitPattern: little) * 8_388_608)
      }
    }
  }

  @Test(
    "every sample matches its number, in every format",
    arguments: [SampleFormat.int16, .int24, .float32], [(48_000, 2), (44_100, 1), (8_000, 6)] as [(UInt32, UInt16)])
  func samples(format: SampleFormat, shape: (rate: UInt32, channels: UInt16)) throws {
    var recorder = try SimRecorder(settings(format, rate: shape.rate, channels: shape.channels))
    try recorder.run(milliseconds: 2_500, keepsBytes: false)
    let sound = SimSound(seed: 7, worldStart: recorder.start, sampleRateHz: shape.rate)
    let channels = Int(shape.channels)
    let decoded = decode(recorder.sound, as: format)
    #expect(decoded.count == Int(shape.rate) * 5 / 2 * channels)
    let mask: Int32 = format == .int16 ? ~0xFF : ~0
    let wrong = decoded.indices.first { index in
      decoded[index] != sound.sample(ofFrame: UInt64(index / channels), channel: index % channels) & mask
    }
    #expect(wrong == nil)
  }

  @Test("the noise is below −60 dB, differs between channels, and clicks last 5 ms at −6 dB")
  func levels() throws {
    let sound = SimSound(seed: 1, worldStart: 0, sampleRateHz: 48_000)
    let left = (UInt64(0)..<48_000).map { sound.sample(ofFrame: $0, channel: 0) }
    let right = (UInt64(0)..<48_000).map { sound.sample(ofFrame: $0, channel: 1) }
    #expect(left[240...].allSatisfy { $0.magnitude <= 8_388 })
    #expect(Set(left[240...]).count > 10_000)
    #expect(left[240...] != right[240...])
    let crossings = (1..<240).count { (left[$0] < 0) != (left[$0 - 1] < 0) }
    #expect(crossings == 10)
    #expect((4_180_000...4_210_000).contains(left[0]))
    #expect(left[..<240].allSatisfy { $0.magnitude < 4_210_000 })
  }

  @Test("sound that is not read in time is lost and counted, and the rest is right")
  func overrun() throws {
    var recorder = try SimRecorder(settings(.int24), bufferMilliseconds: 200)
    try recorder.run(milliseconds: 1_000, keepsBytes: false)
    #expect(recorder.lostFrameCount == 0)
    let before = recorder.sound.count / 6
    recorder.sleep(milliseconds: 750)
    try recorder.takeSound()
    #expect(recorder.lostFrameCount == 26_400)
    #expect(recorder.sound.count / 6 == before, "a call that tells of a loss delivers nothing")
    try recorder.takeSound()
    #expect(recorder.lostFrameCount == 26_400)
    #expect(recorder.sound.count / 6 - before == 9_600)
    #expect(recorder.soundEnd == recorder.start + 1_750_000_000)
    let sound = SimSound(seed: 7, worldStart: recorder.start, sampleRateHz: 48_000)
    let decoded = decode(Array(recorder.sound[(before * 6)...]), as: .int24)
    #expect(decoded[0] == sound.sample(ofFrame: UInt64(before) + 26_400, channel: 0))
    #expect(decoded.last == sound.sample(ofFrame: 83_999, channel: 1))
  }

  @Test("a buffer for fewer frames than there are leaves the rest for the next call")
  func smallRoom() throws {
    var recorder = try SimRecorder(settings(.int16))
    recorder.sleep(milliseconds: 10)
    var counts: [Int] = []
    var ends: [UInt64] = []
    for _ in 0..<4 {
      var room = [UInt8](repeating: 0, count: 803)
      var span = room.mutableSpan
      var bytes = unsafe span.mutableBytes
      let read = try recorder.board.microphone.device.read(into: &bytes)
      counts.append(read.frameCount)
      ends.append((read.endInstant - recorder.start) * 48 / 1_000_000)
    }
    #expect(counts == [200, 200, 80, 0])
    #expect(ends == [200, 400, 480, 480])
  }

  @Test("a microphone that is absent, or not open, reports it")
  func failures() throws {
    var recorder = try SimRecorder(settings(.int16))
    recorder.board.microphone.device.close()
    let notOpen = #expect(throws: DeviceFailure.self) { try recorder.takeSound() }
    #expect(notOpen?.kind == .absent)
    var absent = settings(.int16)
    absent.faults.add(Fault(.absent, of: .microphone, nanoseconds: 0..<1))
    let missing = #expect(throws: DeviceFailure.self) { _ = try SimRecorder(absent) }
    #expect(missing?.device == .microphone)
  }
}
