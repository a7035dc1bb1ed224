import Base

/// Chooses one of the camera's modes, which are offered one at a time.
///
/// The criteria, in order: the requested pixel format; the frame rate; what the machine can handle; the requested size,
/// or if a smaller one is allowed the next of ``preset(_:)``; the nearest size; pictures compressed by the camera,
/// which need no encoder, then the formats that are cheapest to encode; the larger of two equally near sizes.
package struct CameraModeChoice: Sendable {
  private let request: CameraRequest
  /// Nil until a mode has been considered.
  package private(set) var best: CameraMode?

  /// A choice for `request`.
  package init(_ request: CameraRequest) { self.request = request }

  package static var presetCount: Int { 3 }

  /// The sizes of the presets, largest first.
  /// - Parameter index: below ``presetCount``.
  package static func preset(_ index: Int) -> FrameSize {
    switch index {
    case 0: FrameSize(widthPixels: 1920, heightPixels: 1080)
    case 1: FrameSize(widthPixels: 1280, heightPixels: 720)
    default: FrameSize(widthPixels: 640, heightPixels: 480)
    }
  }

  /// Considers a mode that the camera offers.
  package mutating func consider(_ mode: CameraMode) {
    guard let best else { return self.best = mode }
    for criterion in 0..<7 {
      let penalty = penalty(mode, criterion)
      let bestPenalty = self.penalty(best, criterion)
      guard penalty == bestPenalty else {
        if penalty < bestPenalty { self.best = mode }
        return
      }
    }
  }

  /// The mode's penalty for a criterion: lower is better, and 0 matches the request.
  private func penalty(_ mode: CameraMode, _ criterion: Int) -> Int {
    switch criterion {
    case 0: request.pixelFormat == nil || mode.pixelFormat == request.pixelFormat ? 0 : 1
    case 1: missingMillihertz(mode.fastestRate ?? request.frameRate)
    case 2: Int(request.budget.excess(mode.pixelFormat, mode.size, request.frameRate))
    case 3: presetsDown(mode.size)
    case 4: distance(mode.size)
    case 5: rank(mode.pixelFormat)
    default: Int(UInt16.max) - Int(mode.size.widthPixels)
    }
  }

  /// Tolerates one percent: a camera that reports 30 may deliver 29.97.
  private func missingMillihertz(_ rate: FrameRate) -> Int {
    let wanted = request.frameRate.framesPerSecond
    let offered = rate.framesPerSecond
    return offered >= wanted * 0.99 ? 0 : Int((wanted - offered) * 1000)
  }

  /// 0 for the requested size, the preset's number for a smaller preset, ``presetCount`` for any other size.
  private func presetsDown(_ size: FrameSize) -> Int {
    if size == request.size { return 0 }
    guard request.descends else { return Self.presetCount }
    for index in 0..<Self.presetCount where size == Self.preset(index) {
      return size.widthPixels < request.size.widthPixels ? index : Self.presetCount
    }
    return Self.presetCount
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

/// A format and size that a camera can deliver.
package struct CameraMode: Equatable, Sendable {
  /// How pictures are laid out in memory.
  package var pixelFormat: PixelFormat
  package var size: FrameSize
  /// The highest rate in this mode; nil if the camera does not report it.
  package var fastestRate: FrameRate?

  package init(pixelFormat: PixelFormat, size: FrameSize, fastestRate: FrameRate?) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.fastestRate = fastestRate
  }
}

/// Zooms a camera apart from its driver: during a slow call the loop still has the camera, and no picture waits.
package protocol CameraZooming: BitwiseCopyable, Sendable {
  /// Magnifies the middle of the picture in the camera, starting with one of the next pictures. Only while the camera
  /// is open.
  /// - Parameter factor: 1…``Camera/maximumZoom``; the camera takes the nearest it can.
  /// - Throws: if the camera refuses; it keeps its factor.
  func set(_ factor: Double) throws(DeviceFailure)
}

/// For a camera without zoom.
package struct NoZooming: CameraZooming {
  /// Does nothing.
  package func set(_ factor: Double) throws(DeviceFailure) {}
}

/// The zoom of the camera as a device. The camera's own worker carries it out, so that no camera is zoomed while it is
/// being closed.
package struct CameraLens<Zooming: CameraZooming>: SlowDevice {
  /// Another factor for the camera that is open.
  package struct Order: BitwiseCopyable, Sendable {
    package let zooming: Zooming
    /// See ``CameraZooming/set(_:)``.
    package let factor: Double

    /// The camera must stay open until the order is carried out.
    package init(_ zooming: Zooming, factor: Double) {
      self.zooming = zooming
      self.factor = factor
    }
  }

  package init() {}

  /// - Returns: the factor.
  package mutating func carryOut(_ order: Order) throws(DeviceFailure) -> Double {
    try order.zooming.set(order.factor)
    return order.factor
  }
}
