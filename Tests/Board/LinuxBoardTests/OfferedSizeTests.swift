import Base
import CVideo4Linux
import Testing

@testable import Machine

@Suite struct OfferedSizeTests {
  private static func nearest(_ sizes: video_sizes, _ width: UInt16, _ height: UInt16) -> [UInt16]? {
    sizes.nearest(to: FrameSize(widthPixels: width, heightPixels: height)).map { [$0.widthPixels, $0.heightPixels] }
  }

  private static func range(_ least: UInt32, _ most: UInt32, step: UInt32) -> video_sizes {
    video_sizes(
      least_width: least, most_width: most, step_width: step, least_height: least, most_height: most,
      step_height: step)
  }

  @Test("In a range the nearest size that its steps reach is taken")
  func stays() {
    let range = Self.range(32, 1600, step: 16)
    #expect(Self.nearest(range, 640, 480) == [640, 480])
    #expect(Self.nearest(range, 1920, 1080) == [1600, 1072])
    #expect(Self.nearest(range, 16, 4096) == [32, 1600])
    #expect(Self.nearest(Self.range(2, UInt32.max, step: 0), 1280, 720) == [1280, 720])
  }

  @Test("Sizes with odd sides, and ranges that end before they begin, are refused")
  func refuses() {
    #expect(Self.nearest(Self.range(33, 33, step: 1), 640, 480) == nil)
    #expect(Self.nearest(Self.range(100, 50, step: 1), 640, 480) == nil)
    #expect(Self.nearest(Self.range(70_000, 80_000, step: 2), 640, 480) == nil)
  }
}
