import Base
import CVideo4Linux
import Testing

@testable import Machine

@Suite struct PixelFormatTests {
  @Test(
    "Pictures that the camera compresses come first, then those with the least work",
    arguments: [
      (["YUYV", "MJPG", "NV12"], nil, PixelFormat.mjpeg), (["YUYV", "JPEG"], nil, .mjpeg),
      (["YUYV", "YU12", "NV12"], nil, .nv12), (["YUYV", "YU12"], nil, .yuv420), (["GREY", "YUYV"], nil, .yuyv),
      (["YUYV", "MJPG"], .yuyv, .yuyv), (["YUYV"], .mjpeg, .yuyv), (["GREY", "BA81"], nil, nil), ([], nil, nil),
    ] as [([String], PixelFormat?, PixelFormat?)])
  func chooses(offered: [String], requested: PixelFormat?, expected: PixelFormat?) {
    var formats = OfferedPixelFormats()
    for name in offered { formats.insert(code: code(name)) }
    #expect(formats.best(requested: requested) == expected)
  }

  @Test("MJPEG is requested by the camera's name for it, in any order of its list")
  func keepsTheCode() {
    for names in [["JPEG"], ["MJPG"], ["JPEG", "MJPG"], ["MJPG", "JPEG"]] {
      var formats = OfferedPixelFormats()
      for name in names { formats.insert(code: code(name)) }
      #expect(formats.code(of: .mjpeg) == code(names.contains("MJPG") ? "MJPG" : "JPEG"))
    }
  }

  /// A V4L2 code: four characters, the first in the lowest byte.
  private func code(_ name: String) -> UInt32 {
    name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
