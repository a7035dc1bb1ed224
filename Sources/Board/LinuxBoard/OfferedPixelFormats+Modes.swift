import Port
import CVideo4Linux
import Values

extension OfferedPixelFormats {
  /// A list without an end would be a driver's mistake.
  private static var longestList: UInt32 { 64 }

  /// What the camera offers nearest to `request`; nil when it does not list its sizes.
  func bestMode(of device: borrowing VideoDevice, _ request: CameraRequest) -> CameraMode? {
    var choice = CameraModeChoice(request)
    var number: UInt8 = 0
    while let pixelFormat = PixelFormat(rawValue: number) {
      number += 1
      guard let code = code(of: pixelFormat) else { continue }
      for index in 0..<Self.longestList {
        guard let sizes = device.sizes(of: code, at: index) else { break }
        Self.consider(sizes, pixelFormat, code, of: device, request, for: &choice)
      }
    }
    return choice.best
  }

  /// Of a range, what is nearest to each size that may be wanted.
  private static func consider(
    _ sizes: video_sizes, _ pixelFormat: PixelFormat, _ code: UInt32, of device: borrowing VideoDevice,
    _ request: CameraRequest, for choice: inout CameraModeChoice
  ) {
    for index in 0...CameraModeChoice.rungCount {
      let wanted = index == 0 ? request.size : CameraModeChoice.rung(index - 1)
      guard let size = sizes.nearest(to: wanted) else { return }
      choice.consider(
        CameraMode(pixelFormat: pixelFormat, size: size, fastestRate: fastestRate(of: device, code, size)))
    }
  }

  private static func fastestRate(of device: borrowing VideoDevice, _ code: UInt32, _ size: FrameSize) -> FrameRate? {
    var fastest: FrameRate?
    for index in 0..<longestList {
      guard
        let seconds = device.interval(
          of: code, width: UInt32(size.widthPixels), height: UInt32(size.heightPixels), at: index)
      else { break }
      guard seconds.numerator > 0 else { continue }
      let rate = FrameRate(frames: seconds.denominator, seconds: seconds.numerator)
      if rate.framesPerSecond > fastest?.framesPerSecond ?? 0 { fastest = rate }
    }
    return fastest
  }
}

extension video_sizes {
  /// The nearest size of the range that can be recorded: of even sides; nil where there is none.
  func nearest(to wanted: FrameSize) -> FrameSize? {
    guard let width = Self.nearest(to: wanted.widthPixels, least_width, most_width, step_width),
      let height = Self.nearest(to: wanted.heightPixels, least_height, most_height, step_height)
    else { return nil }
    return FrameSize(widthPixels: width, heightPixels: height)
  }

  private static func nearest(to wanted: UInt16, _ least: UInt32, _ most: UInt32, _ step: UInt32) -> UInt16? {
    guard least <= most else { return nil }
    let inside = min(max(UInt32(wanted), least), most)
    let nearest = inside - (inside - least) % max(step, 1)
    return nearest & 1 == 0 ? UInt16(exactly: nearest) : nil
  }
}
