import Base
import CFakeCamera
import Foundation
import TestSupport
import Testing

@testable import Machine

@Suite struct ConvertedCameraTests {
  @Test("A camera with none of our pixel formats is opened through libv4l, which converts every picture")
  func converts() throws {
    // Device names are too short for the paths of temporary folders.
    let path = "/tmp/fieldcorder-\(UUID().uuidString.prefix(13))"
    let isPluggedIn = unsafe fake_camera_plug_in(path)
    try #require(isPluggedIn)
    defer { fake_camera_unplug() }
    var camera = V4L2Camera()
    let format = try camera.open(
      CameraRequest(
        deviceName: FixedText(path), size: FrameSize(widthPixels: 64, heightPixels: 48),
        frameRate: FrameRate(frames: 30), pixelFormat: nil))
    #expect(
      format
        == VideoFormat(
          widthPixels: 64, heightPixels: 48, pixelFormat: .yuv420, bytesPerRow: 64, frameRate: FrameRate(frames: 30),
          colorRange: .limited))
    #expect(camera.bufferCount == 6)
    for sequence in 0..<20 as Range<UInt32> {
      let frame = try #require(try camera.dequeue())
      #expect(frame.sequence == sequence)
      #expect(frame.instant == 1_000_000_000 + UInt64(sequence) * 1000)
      #expect(frame.byteCount == 64 * 48 * 3 / 2)
      // Red and blue in ITU-R BT.601, limited range.
      let color: [Int] = sequence % 2 == 0 ? [81, 90, 240] : [41, 240, 110]
      let picture = unsafe camera.bufferMemory(at: frame.bufferIndex)
      for (plane, range) in [0..<3072, 3072..<3840, 3840..<4608].enumerated() {
        #expect(unsafe picture[range].allSatisfy { abs(Int($0) - color[plane]) <= 1 })
      }
      // The driver could only share the picture before conversion.
      #expect(camera.bufferDescriptor(at: frame.bufferIndex) == nil)
      try camera.requeue(bufferIndex: frame.bufferIndex)
    }
  }
}
