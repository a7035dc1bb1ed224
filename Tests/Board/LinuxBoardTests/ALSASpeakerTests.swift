import Base
import CDeviceArena
import CHeapMeter
import Foundation
import TestSupport
import Testing

@testable import Machine

/// Tests without a card: alsa-lib's own devices that discard their input, or write it to a file.
@Suite struct ALSASpeakerTests {
  private func request(
    _ deviceName: String, _ sampleFormat: SampleFormat? = nil, channels: UInt16 = 2
  ) -> SoundCardRequest {
    SoundCardRequest(
      deviceName: FixedText(deviceName), sampleRateHz: 48_000, channelCount: channels, sampleFormat: sampleFormat,
      bufferMilliseconds: 200)
  }

  @Test("An absent speaker is reported by its ALSA name, with a remedy")
  func namesSpeaker() {
    var speaker = ALSASpeaker()
    let failure = #expect(throws: DeviceFailure.self) { _ = try speaker.open(request("hw:31,7")) }
    #expect(
      failure.map { String($0.line) }
        == "speaker hw:31,7 cannot be opened (errno 2): plug it in, or set [speaker] device; aplay -L lists them")
  }

  @Test("A speaker that is not open is absent, and stopping it does nothing")
  func isClosed() {
    var speaker = ALSASpeaker()
    speaker.stop()
    let looked = #expect(throws: DeviceFailure.self) { _ = try speaker.look() }
    let written = #expect(throws: DeviceFailure.self) { _ = try speaker.write(RawSpan()) }
    #expect(looked?.kind == .absent && written?.kind == .absent)
  }

  @Test("A converting device accepts any format; by default it uses 16 bits")
  func opensAConverter() throws {
    var speaker = ALSASpeaker()
    for (wish, expected) in [(nil, SampleFormat.int16), (.int24, .int24), (.float32, .float32)]
      as [(SampleFormat?, SampleFormat)]
    {
      let format = try speaker.open(request("null", wish, channels: 6))
      #expect(format == AudioFormat(sampleRateHz: 48_000, channelCount: 6, sampleFormat: expected))
    }
  }

  @Test(
    "The bytes written reach the device in order, beginning with the first write",
    arguments: [SampleFormat.int16, .int24, .float32])
  func writes(sampleFormat: SampleFormat) throws {
    // Our device names are too short for the paths of temporary folders.
    let path = "/tmp/fieldcorder-\(UUID().uuidString.prefix(13))"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var generator = SeededGenerator(seed: 9)
    var expected: [UInt8] = []
    do {
      var speaker = ALSASpeaker()
      let format = try speaker.open(request("file:'\(path)',raw", sampleFormat))
      #expect(try speaker.look().isRunning == false)
      for _ in 0..<50 {
        let bytes = (0..<format.bytesPerFrame * Int.random(in: 1...300, using: &generator)).map { _ in
          UInt8.random(in: .min ... .max, using: &generator)
        }
        let taken = try unsafe speaker.write(bytes.span.bytes)
        expected += bytes.prefix(taken * format.bytesPerFrame)
        if taken > 0 { try speaker.start() }
        #expect(try speaker.look().isRunning)
      }
      speaker.close()
    }
    #expect(expected.count > 10_000)
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == expected)
  }

  @Test("Closed and opened again after boot, a device does not use the heap")
  func reopensWithoutTheHeap() async {
    // In its own process: the arena is per process, and other tests open devices too.
    await #expect(processExitsWith: .success) {
      var speaker = ALSASpeaker()
      var microphone = ALSAMicrophone()
      let card = SoundCardRequest(
        deviceName: "null", sampleRateHz: 48_000, channelCount: 2, sampleFormat: nil, bufferMilliseconds: 200)
      _ = try speaker.open(card)
      _ = try microphone.open(card)
      device_arena_arm()
      let before = heap_meter_count_of_thread()
      for _ in 0..<10 {
        speaker.close()
        microphone.close()
        _ = try speaker.open(card)
        _ = try microphone.open(card)
      }
      let inUse = unsafe fixed_arena_used_byte_count(device_arena())
      speaker.close()
      microphone.close()
      let count = heap_meter_count_of_thread() - before
      try #require(count == 0)
      try #require(inUse > 0)
    }
  }
}
