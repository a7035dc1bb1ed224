import Base
import Media
import TestSupport
import Testing

@testable import Record

@Suite struct EncoderCountTests {
  private static func format(_ pixelFormat: PixelFormat) -> VideoFormat {
    VideoFormat(
      widthPixels: 640, heightPixels: 480, pixelFormat: pixelFormat, bytesPerRow: 0, frameRate: FrameRate(frames: 30))
  }

  @Test(
    "The default is one less than the number of processors, at most four and at least one",
    arguments: [(1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (64, 4)])
  func suits(processorCount: Int, count: Int) {
    let encoders = EncoderCount(
      wanted: nil, processorCount: processorCount, video: Self.format(.yuyv), cameraZooms: false)
    #expect(encoders.count == count)
    #expect(encoders.line.map { String($0) } == "encoding on \(count) processor\(count == 1 ? "" : "s")")
  }

  @Test("A configured number is used on any machine", arguments: 1...4 as ClosedRange<UInt8>)
  func obeys(wanted: UInt8) {
    let encoders = EncoderCount(wanted: wanted, processorCount: 1, video: Self.format(.nv12), cameraZooms: true)
    #expect(encoders.count == Int(wanted))
  }

  @Test("A camera that compresses needs encoders only while the recorder zooms, and none when it zooms by itself")
  func passesOn() {
    let zoomedHere = EncoderCount(wanted: nil, processorCount: 4, video: Self.format(.mjpeg), cameraZooms: false)
    #expect(zoomedHere.count == 3)
    #expect(zoomedHere.line.map { String($0) } == "encoding on 3 processors while zoomed")
    let zoomedThere = EncoderCount(wanted: 4, processorCount: 4, video: Self.format(.mjpeg), cameraZooms: true)
    #expect(zoomedThere.count == 1)
    #expect(zoomedThere.line == nil)
    #expect(EncoderCount(wanted: 4, processorCount: 4, video: nil, cameraZooms: false).count == 1)
  }
}
