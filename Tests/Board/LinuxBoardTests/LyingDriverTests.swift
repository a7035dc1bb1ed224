import Base
import CFakeCamera
import CFakeCard
import CVideo4Linux
import Foundation
import TestSupport
import Testing

@testable import Machine

/// Drivers that report impossible numbers. Each test runs in a process of its own, because a trap would end it, and the
/// false answers affect all cameras of a process.
@Suite struct LyingDriverTests {
  @Test("Whatever a sound card says of its microphone, no frames are moved beyond the buffer")
  func microphone() async {
    await #expect(processExitsWith: .success) {
      var microphone = ALSAMicrophone()
      var bytes = [UInt8](repeating: 0, count: 4_000)
      try LyingDriverTests.moveFrames(with: &microphone, open: { try $0.open($1) }) { microphone, format in
        var span = bytes.mutableSpan
        var buffer = unsafe span.mutableBytes
        guard let read = try? microphone.read(into: &buffer) else { return nil }
        try #require((0...4_000 / format.bytesPerFrame).contains(read.frameCount) && read.lostFrameCount >= 0)
        return read.frameCount
      }
    }
  }

  @Test("Whatever a sound card says of its speaker, its state and what it takes stay possible")
  func speaker() async {
    await #expect(processExitsWith: .success) {
      var speaker = ALSASpeaker()
      let bytes = [UInt8](repeating: 0, count: 4_000)
      try LyingDriverTests.moveFrames(with: &speaker, open: { try $0.open($1) }) { speaker, format in
        guard let state = try? speaker.look() else { return nil }
        // 200 ms at 48 kHz.
        try #require((0...9_600).contains(state.queuedFrames) && (0...9_600).contains(state.freeFrames))
        guard let taken = try? unsafe speaker.write(bytes.span.bytes) else { return nil }
        try #require((0...4_000 / format.bytesPerFrame).contains(taken))
        guard (try? speaker.start()) != nil else { return nil }
        return taken
      }
    }
  }

  /// Opens a sound card, with and without mapped memory, and moves frames while it reports false numbers.
  /// - Parameter move: returns the number of frames moved, or nil to continue with the next false numbers.
  private static func moveFrames<Device: ~Copyable>(
    with device: inout Device, open: (inout Device, SoundCardRequest) throws -> AudioFormat,
    move: (inout Device, AudioFormat) throws -> Int?
  ) throws {
    let card = SoundCardRequest(
      deviceName: "null", sampleRateHz: 48_000, channelCount: 2, sampleFormat: nil, bufferMilliseconds: 200)
    var movedFrames = 0
    for seed in 1...2_000 as ClosedRange<UInt64> {
      fake_card_lie(0)
      fake_card_refuse_mapping(seed % 2 == 0)
      let format = try open(&device, card)
      fake_card_lie(seed &* 0x9E37_79B9_7F4A_7C15)
      for _ in 0..<20 {
        guard let frameCount = try move(&device, format) else { break }
        movedFrames += frameCount
      }
    }
    try #require(movedFrames > 0)
  }

  @Test("Whatever a camera answers, no buffer is lent twice, and no picture is larger than its buffer")
  func camera() async {
    await #expect(processExitsWith: .success) {
      // Device names are too short for the paths of temporary folders.
      let path = "/tmp/fieldcorder-\(UUID().uuidString.prefix(13))"
      let isPluggedIn = unsafe fake_camera_plug_in(path)
      try #require(isPluggedIn)
      defer { fake_camera_unplug() }
      var camera = V4L2Camera()
      var pictureCount = 0
      for seed in 1...3_000 as ClosedRange<UInt64> {
        fake_camera_offer([video_format_mjpeg(), video_format_yuyv(), video_format_nv12()][Int(seed % 3)])
        fake_camera_lie(seed &* 0x9E37_79B9_7F4A_7C15)
        guard let format = try? camera.open(LyingDriverTests.request(path)) else { continue }
        try #require((16...4_096).contains(format.widthPixels) && (16...4_096).contains(format.heightPixels))
        try #require((0.0...960).contains(format.frameRate.framesPerSecond))
        var lent: Set<Int> = []
        for _ in 0..<20 {
          guard let frame = try? camera.dequeue() else { break }
          try #require((0..<camera.bufferCount).contains(frame.bufferIndex) && !lent.contains(frame.bufferIndex))
          let bufferByteCount = unsafe camera.bufferMemory(at: frame.bufferIndex).count
          try #require((1...bufferByteCount).contains(frame.byteCount))
          lent.insert(frame.bufferIndex)
          pictureCount += 1
          if let maximum = camera.maximumZoom { try? camera.zooming?.set(maximum / 2) }
          guard lent.count > 2, let index = lent.min() else { continue }
          lent.remove(index)
          guard (try? camera.requeue(bufferIndex: index)) != nil else { break }
        }
        camera.close()
      }
      try #require(pictureCount > 100)
    }
  }

  @Test("A camera fills every buffer that it grants of JPEGs; of raw pictures two are spare")
  func spareBuffers() async {
    await #expect(processExitsWith: .success) {
      let path = "/tmp/fieldcorder-\(UUID().uuidString.prefix(13))"
      let isPluggedIn = unsafe fake_camera_plug_in(path)
      try #require(isPluggedIn)
      defer { fake_camera_unplug() }
      for (pixelFormat, spareBufferCount) in [(video_format_mjpeg(), 0), (video_format_yuyv(), 2)] {
        fake_camera_offer(pixelFormat)
        var camera = V4L2Camera()
        _ = try camera.open(LyingDriverTests.request(path))
        try #require(camera.bufferCount == 6 && camera.spareBufferCount == spareBufferCount)
        camera.close()
      }
    }
  }

  private static func request(_ path: String) -> CameraRequest {
    CameraRequest(
      deviceName: FixedText(path), size: FrameSize(widthPixels: 64, heightPixels: 48), frameRate: FrameRate(frames: 30),
      pixelFormat: nil, spareBufferCount: 2)
  }

  @Test("Whatever an encoder answers, a slot is emptied once, and a packet lies within its buffer")
  func encoder() async {
    await #expect(processExitsWith: .success) {
      var packetCount = 0
      for seed in 1...3_000 as ClosedRange<UInt64> {
        let kernel = ScriptedKernel()
        kernel.lies = SeededGenerator(seed: seed)
        guard var session = try? EncoderSession(ScriptedCodecDevice(kernel: kernel), LyingDriverTests.encoderRequest)
        else { continue }
        for round in 0..<30 as Range<UInt64> {
          guard
            (try? session.submit(
              slot: Int(round % 6), descriptor: 7, byteCount: 1_080, timestampMicroseconds: round)) != nil
          else { break }
          if round == 20 { try? session.drain() }
          if let packet = try? session.nextPacket() {
            try #require((0..<8).contains(packet.bufferIndex) && packet.byteCount <= 4_096)
            packetCount += 1
            try? session.release(bufferIndex: packet.bufferIndex)
          }
          while let slot = try? session.nextEmptiedSlot() { try #require((0..<6).contains(slot)) }
        }
      }
      try #require(packetCount > 100)
    }
  }

  private static let encoderRequest = VideoEncoderRequest(
    deviceName: "/dev/video11", codec: .fwht,
    picture: VideoFormat(
      widthPixels: 40, heightPixels: 18, pixelFormat: .nv12, bytesPerRow: 40, frameRate: FrameRate(frames: 30)),
    bitsPerSecond: 5_000_000, picturesPerKeyframe: 30, sharedBuffers: (6, 7, 1_080))
}
