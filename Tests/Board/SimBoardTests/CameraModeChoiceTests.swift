import Base
import Machine
import TestSupport
import Testing

@Suite struct CameraModeChoiceTests {
  /// `1920x1080@30 mjpeg`; without a rate for a camera that does not report one.
  private static func mode(_ text: String) -> CameraMode {
    let words = text.split(separator: " ")
    let numbers = words[0].split { "x@/".contains($0) }.map { UInt32($0)! }
    let formats: [String: PixelFormat] = ["mjpeg": .mjpeg, "yuyv": .yuyv, "nv12": .nv12, "yuv420": .yuv420]
    return CameraMode(
      pixelFormat: formats[String(words[1])]!,
      size: FrameSize(widthPixels: UInt16(numbers[0]), heightPixels: UInt16(numbers[1])),
      fastestRate: numbers.count < 3 ? nil : FrameRate(frames: numbers[2], seconds: numbers.count > 3 ? numbers[3] : 1))
  }

  /// The mode chosen for a request such as `1920x1080@30`, with the camera's modes in ascending or descending order.
  private static func chosen(
    _ wanted: String, descends: Bool, pixelFormat: PixelFormat? = nil, of offers: [String],
    budget: PictureBudget = PictureBudget()
  ) throws -> CameraMode {
    let request = mode(wanted + " yuyv")
    var random = SeededGenerator(seed: 7)
    var all: [CameraMode] = []
    for _ in 0..<20 {
      var choice = CameraModeChoice(
        CameraRequest(
          deviceName: "", size: request.size, descends: descends, frameRate: request.fastestRate!,
          pixelFormat: pixelFormat, budget: budget))
      for offer in offers.shuffled(using: &random) { choice.consider(mode(offer)) }
      all.append(try #require(choice.best))
    }
    #expect(all.allSatisfy { $0 == all[0] })
    return all[0]
  }

  /// The list of an ordinary USB camera.
  private static let webcam = [
    "640x480@30 yuyv", "1280x720@10 yuyv", "1920x1080@5 yuyv", "640x480@30 mjpeg", "1280x720@30 mjpeg",
    "1920x1080@30 mjpeg", "320x240@30 yuyv", "2592x1944@15 mjpeg",
  ]

  @Test(
    "The size of a preset is taken if the camera keeps the frame rate at it, else the next smaller one",
    arguments: [
      ("1920x1080@30", webcam, "1920x1080@30 mjpeg"), ("1280x720@30", webcam, "1280x720@30 mjpeg"),
      ("640x480@30", webcam, "640x480@30 mjpeg"),
      ("1920x1080@30", ["1920x1080@5 yuyv", "1280x720@10 yuyv", "640x480@30 yuyv"], "640x480@30 yuyv"),
      ("1920x1080@5", ["1920x1080@5 yuyv", "1280x720@10 yuyv", "640x480@30 yuyv"], "1920x1080@5 yuyv"),
      ("1920x1080@30", ["1920x1080@15 mjpeg", "1280x720@30 nv12", "640x480@60 mjpeg"], "1280x720@30 nv12"),
      ("1280x720@30", ["1920x1080@30 mjpeg", "640x480@30 yuyv"], "640x480@30 yuyv"),
      ("1920x1080@30", ["1920x1080@30000/1001 nv12", "640x480@30 mjpeg"], "1920x1080@30000/1001 nv12"),
      ("1920x1080@30", ["1920x1080@25 yuv420", "640x480@25 mjpeg"], "1920x1080@25 yuv420"),
      ("1920x1080@30", ["1920x1080 nv12", "640x480@30 mjpeg"], "1920x1080 nv12"),
    ])
  func descends(wanted: String, offers: [String], expected: String) throws {
    #expect(try Self.chosen(wanted, descends: true, of: offers) == Self.mode(expected))
  }

  @Test(
    "If the camera has none of the sizes, the nearest is taken",
    arguments: [
      ("1280x720@30", true, ["352x288@30 yuyv", "800x600@30 yuyv", "3264x2448@30 mjpeg"], "800x600@30 yuyv"),
      ("800x600@30", false, webcam, "640x480@30 mjpeg"),
      ("1600x900@30", false, webcam, "1920x1080@30 mjpeg"),
      ("640x480@60", true, ["640x480@30 mjpeg", "320x240@60 yuyv"], "320x240@60 yuyv"),
    ])
  func nearest(wanted: String, descends: Bool, offers: [String], expected: String) throws {
    #expect(try Self.chosen(wanted, descends: descends, of: offers) == Self.mode(expected))
  }

  @Test("A requested pixel format has priority, and one that is not offered makes no difference")
  func keepsToFormat() throws {
    let raw = try Self.chosen("1920x1080@30", descends: true, pixelFormat: .yuyv, of: Self.webcam)
    #expect(raw == Self.mode("640x480@30 yuyv"))
    let other = try Self.chosen("1920x1080@30", descends: true, pixelFormat: .nv12, of: Self.webcam)
    #expect(other == Self.mode("1920x1080@30 mjpeg"))
  }

  @Test("Of equal modes the cheapest one to encode is taken")
  func prefersCheap() throws {
    let offers = ["640x480@30 yuyv", "640x480@30 yuv420", "640x480@30 nv12"]
    #expect(try Self.chosen("640x480@30", descends: true, of: offers) == Self.mode("640x480@30 nv12"))
    #expect(
      try Self.chosen("640x480@30", descends: true, of: offers + ["640x480@30 mjpeg"])
        == Self.mode("640x480@30 mjpeg"))
  }

  /// The rates of encoded and stored pixels, in thousands per second; then the mode chosen on each camera.
  @Test(
    "The size is the largest that the machine can encode, or keep if the camera encodes",
    arguments: [
      (nil, nil, "1920x1080@30 nv12", "1920x1080@30 mjpeg"), (63_000, nil, "1920x1080@30 nv12", "1920x1080@30 mjpeg"),
      (62_000, nil, "1280x720@30 nv12", "1920x1080@30 mjpeg"), (27_000, nil, "640x480@30 nv12", "1920x1080@30 mjpeg"),
      (1_000, nil, "640x480@30 nv12", "1920x1080@30 mjpeg"), (nil, 30_000, "1280x720@30 nv12", "1280x720@30 mjpeg"),
      (nil, 9_300, "640x480@30 nv12", "640x480@30 mjpeg"), (90_000, 10_000, "640x480@30 nv12", "640x480@30 mjpeg"),
    ] as [(Double?, Double?, String, String)])
  func fitsMachine(encoded: Double?, kept: Double?, raw: String, coded: String) throws {
    var budget = PictureBudget()
    budget.encodedPixelsPerSecond = encoded.map { $0 * 1000 }
    budget.keptPixelsPerSecond = kept.map { $0 * 1000 }
    let rawOffers = ["1920x1080@30 nv12", "1280x720@30 nv12", "640x480@30 nv12"]
    #expect(try Self.chosen("1920x1080@30", descends: true, of: rawOffers, budget: budget) == Self.mode(raw))
    #expect(try Self.chosen("1920x1080@30", descends: true, of: Self.webcam, budget: budget) == Self.mode(coded))
  }
}
