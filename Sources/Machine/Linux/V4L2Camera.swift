import Base
import CLinux

/// A camera through Video for Linux.
///
/// It is opened through libc, without conversion, so that `libcamerify` can present a CSI camera. Only a camera that
/// offers none of our formats is opened through libv4l, which converts each picture.
package struct V4L2Camera: CameraDriver, ~Copyable {
  private let place = StaysInPlace()
  private var stream: VideoStream?
  private var deviceName = FixedText<64>()

  /// Takes the camera's mode nearest to `request`: the first possible pixel format, then size, then frame rate.
  package mutating func open(_ request: CameraRequest) throws(DeviceFailure) -> VideoFormat {
    close()
    deviceName = request.deviceName
    do throws(VideoError) {
      let opened = try DeviceArena.serve { () throws(VideoError) in try VideoStream.start(request) }
      let format = opened.format
      stream = consume opened
      return format
    } catch {
      throw failure(error)
    }
  }

  /// Skips pictures that the driver marks as damaged: they show as a gap in the sequence numbers.
  package mutating func dequeue() throws(DeviceFailure) -> CameraFrame? {
    try use { stream throws(VideoError) in try stream.dequeue() } ?? nil
  }

  package mutating func requeue(bufferIndex: Int) throws(DeviceFailure) {
    try use { stream throws(VideoError) in try stream.requeue(bufferIndex: bufferIndex) }
  }

  /// The number of buffers that the driver fills; 0 while the camera is closed.
  package var bufferCount: Int {
    switch stream {
    case .some(let stream): stream.bufferCount
    case .none: 0
    }
  }

  package var spareBufferCount: Int {
    switch stream {
    case .some(let stream): stream.spareBufferCount
    case .none: 0
    }
  }

  package func bufferMemory(at index: Int) -> UnsafeRawBufferPointer {
    switch stream {
    case .some(let stream): return unsafe stream.bufferMemory(at: index)
    case .none: preconditionFailure("a buffer asked for of a camera that is not open")
    }
  }

  package func bufferDescriptor(at index: Int) -> Int32? {
    switch stream {
    case .some(let stream): stream.bufferDescriptor(at: index)
    case .none: nil
    }
  }

  /// From its zoom control, or from the crop that its sensor accepts while streaming.
  package var maximumZoom: Double? {
    switch stream {
    case .some(let stream): stream.zoom.maximum
    case .none: nil
    }
  }

  package var zooming: V4L2Zooming? {
    switch stream {
    case .some(let stream): stream.zoom.maximum == nil ? nil : stream.zooming(deviceName)
    case .none: nil
    }
  }

  package mutating func close() {
    DeviceArena.serve { stream = nil }
  }

  /// - Returns: nil while the camera is closed.
  @discardableResult
  private mutating func use<Result>(
    _ body: (inout VideoStream) throws(VideoError) -> Result
  ) throws(DeviceFailure) -> Result? {
    guard stream != nil else { return nil }
    do throws(VideoError) { return try body(&stream!) } catch { throw failure(error) }
  }

  private func failure(_ error: VideoError) -> DeviceFailure { error.failure(of: deviceName) }
}

/// Uses a separate descriptor of the camera, valid until it is closed: a call that blocks on one descriptor does not
/// hold up the other.
package struct V4L2Zooming: CameraZooming {
  let zoom: OwnZoom
  let controls: VideoControls
  let deviceName: FixedText<64>

  package func set(_ factor: Double) throws(DeviceFailure) {
    guard zoom.set(factor, on: controls) else { throw VideoError("does not zoom").failure(of: deviceName) }
  }
}

extension VideoError {
  func failure(of deviceName: FixedText<64>) -> DeviceFailure {
    let remedy: StaticString =
      switch kind {
      case .absent: "plug it in, or set [video] device; v4l2-ctl --list-devices names them"
      case .noPermission: "add the recorder's user to the group video"
      case .busy: "end the program that uses it"
      case .unsupported: "set [video] device; for a CSI camera start the recorder through libcamerify"
      case .full: "set a smaller [video] width and height"
      default: "unplug it and plug it in again, or set [video] device"
      }
    return DeviceFailure(
      device: .camera, kind: kind, subject: deviceName, problem: problem, remedy: remedy,
      systemErrorNumber: systemErrorNumber)
  }
}
