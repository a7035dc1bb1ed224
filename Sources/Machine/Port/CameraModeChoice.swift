import Base

/// Chooses among the modes that a camera offers, given one after the other.
///
/// What counts, in this order: the pixel format that was asked for; the frame rate; what the machine can take in; the
/// size, or where that may be smaller the next of ``preset(_:)``; the nearest size; pictures that the camera
/// compresses, which need no encoder, then the formats that are cheapest to encode; the larger of two sizes that are
/// equally near.
package struct CameraModeChoice: Sendable {
  private let request: CameraRequest
  /// Nil before the first mode.
  package private(set) var best: CameraMode?

  /// A choice for `request`.
  package init(_ request: CameraRequest) { self.request = request }

  /// How many presets there are.
  package static var presetCount: Int { 3 }

  /// The sizes of the presets, the largest first.
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

  /// Less is better; 0 is what was asked for.
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

  /// Ignores a hundredth: a camera that says 30 may deliver 29.97.
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

/// A format and size in which a camera can deliver.
package struct CameraMode: Equatable, Sendable {
  /// How pictures are laid out in memory.
  package var pixelFormat: PixelFormat
  /// Of each picture.
  package var size: FrameSize
  /// The highest rate in this mode; nil where the camera does not report it.
  package var fastestRate: FrameRate?

  package init(pixelFormat: PixelFormat, size: FrameSize, fastestRate: FrameRate?) {
    self.pixelFormat = pixelFormat
    self.size = size
    self.fastestRate = fastestRate
  }
}

/// Zooms a camera by a way of its own: while that takes its time, the loop has the camera, and no picture waits.
package protocol CameraZooming: BitwiseCopyable, Sendable {
  /// Magnifies the middle of the picture in the camera, from one of the next pictures on. Only while the camera is
  /// open.
  /// - Parameter factor: 1…``Camera/maximumZoom``; the camera takes the nearest it can.
  /// - Throws: when the camera refuses; it keeps its factor.
  func set(_ factor: Double) throws(DeviceFailure)
}

/// Of a camera that does not zoom.
package struct NoZooming: CameraZooming {
  /// Does nothing.
  package func set(_ factor: Double) throws(DeviceFailure) {}
}

/// What zooms the camera, as a device with a worker: the camera's own, so that nothing is zoomed that is being closed.
package struct CameraLens<Zooming: CameraZooming>: SlowDevice {
  /// Another factor for the camera that is open.
  package struct Order: BitwiseCopyable, Sendable {
    /// Of that camera.
    package let zooming: Zooming
    /// See ``CameraZooming/set(_:)``.
    package let factor: Double

    /// The camera must be open until the order is carried out.
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
