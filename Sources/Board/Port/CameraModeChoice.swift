import Values

/// Chooses among the modes that a camera offers, which are shown to it one after the other.
///
/// What counts, in this order: the pixel format that was asked for; the frame rate; the size, or where that may be smaller
/// the next of ``rung(_:)``; the nearest size; pictures that the camera compresses, for they need no encoder, then the
/// formats that the encoder has the least work with; the larger of two sizes that are as near.
public struct CameraModeChoice: Sendable {
  private let request: CameraRequest
  /// Nil before the first mode.
  public private(set) var best: CameraMode?

  /// A choice for `request`.
  public init(_ request: CameraRequest) { self.request = request }

  /// How many sizes a preset descends through.
  public static var rungCount: Int { 3 }

  /// The sizes of the presets from the largest.
  /// - Parameter index: below ``rungCount``.
  public static func rung(_ index: Int) -> FrameSize {
    switch index {
    case 0: FrameSize(widthPixels: 1920, heightPixels: 1080)
    case 1: FrameSize(widthPixels: 1280, heightPixels: 720)
    default: FrameSize(widthPixels: 640, heightPixels: 480)
    }
  }

  /// Takes a mode that the camera offers into account.
  public mutating func consider(_ mode: CameraMode) {
    guard let best else { return self.best = mode }
    for criterion in 0..<6 {
      let penalty = penalty(mode, criterion)
      let bestPenalty = self.penalty(best, criterion)
      guard penalty == bestPenalty else {
        if penalty < bestPenalty { self.best = mode }
        return
      }
    }
  }

  /// Less is better; 0 is what was asked for.
  private func penalty(_ mode: CameraMode, _ criterion: Int) -> Int {
    switch criterion {
    case 0: request.pixelFormat == nil || mode.pixelFormat == request.pixelFormat ? 0 : 1
    case 1: missingMillihertz(mode.fastestRate ?? request.frameRate)
    case 2: rungsDown(mode.size)
    case 3: distance(mode.size)
    case 4: rank(mode.pixelFormat)
    default: Int(UInt16.max) - Int(mode.size.widthPixels)
    }
  }

  /// A hundredth less is what a camera means by 30 that delivers 29.97.
  private func missingMillihertz(_ rate: FrameRate) -> Int {
    let wanted = request.frameRate.framesPerSecond
    let offered = rate.framesPerSecond
    return offered >= wanted * 0.99 ? 0 : Int((wanted - offered) * 1000)
  }

  /// 0 for the size that was asked for, so many for each smaller one of the presets; as many as there are for any other.
  private func rungsDown(_ size: FrameSize) -> Int {
    if size == request.size { return 0 }
    guard request.descends else { return Self.rungCount }
    for index in 0..<Self.rungCount where size == Self.rung(index) {
      return size.widthPixels < request.size.widthPixels ? index : Self.rungCount
    }
    return Self.rungCount
  }

  private func distance(_ size: FrameSize) -> Int {
    abs(Int(size.widthPixels) - Int(request.size.widthPixels))
      + abs(Int(size.heightPixels) - Int(request.size.heightPixels))
  }

  private func rank(_ pixelFormat: PixelFormat) -> Int {
    switch pixelFormat {
    case .mjpeg: 0
    case .nv12: 1
    case .yuv420: 2
    case .yuyv: 3
    }
  }
}
