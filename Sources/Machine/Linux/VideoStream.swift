import Base
import CLinux
import CVideo4Linux

/// A running camera and its buffers; it stops when the value is destroyed.
// Destroyed with the machine in another module, which must see its deinit.
@usableFromInline @safe package struct VideoStream: ~Copyable {
  /// One is being filled, some wait for the encoder; more would only hide an encoder that is too slow.
  private static let wantedBufferCount: UInt32 = 6
  static let maximumBufferCount = 8

  let format: VideoFormat
  /// The number of buffers that the driver fills.
  private(set) var bufferCount = 0
  /// The number of extra buffers that are never given to the driver.
  private(set) var spareBufferCount = 0
  private(set) var zoom = OwnZoom.none
  private let device: VideoDevice
  /// The same camera opened a second time, for zooming.
  private let lens: VideoDevice?
  // Safe: mapped by this value when it starts and unmapped when it ends.
  private var memory = unsafe InlineArray<8, UnsafeMutableRawBufferPointer>(
    repeating: UnsafeMutableRawBufferPointer(start: nil, count: 0))
  /// Descriptors through which an encoder reads the buffers in place; -1 for a buffer that is not shared.
  private var descriptors = InlineArray<8, Int32>(repeating: -1)
  /// One bit for each buffer that the driver holds.
  private var queued: UInt8 = 0

  /// Opens and starts a camera in the nearest mode to `request`.
  @export(interface)
  static func start(_ request: CameraRequest) throws(VideoError) -> VideoStream {
    let device = try openCamera(request)
    let format = try negotiateFormat(with: device, request)
    // Without conversion, which only concerns pictures.
    var stream = VideoStream(device, lens: VideoDevice(path: request.deviceName, isEmulated: false), format)
    // Spares are for what the hardware encoder reads, which takes no JPEGs. And a loopback fills all that it grants.
    try stream.mapBuffers(spareBufferCount: format.pixelFormat == .mjpeg ? 0 : request.spareBufferCount)
    // Once buffers are allocated, a driver answers as it will while streaming, and no picture shows the trials.
    stream.zoom = OwnZoom(of: stream.device.controls)
    try stream.start()
    return stream
  }

  private init(_ device: consuming VideoDevice, lens: consuming VideoDevice?, _ format: VideoFormat) {
    self.device = device
    self.lens = lens
    self.format = format
  }

  deinit {
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    _ = device.control(VIDEO_STOP, &type)
    for index in 0..<bufferCount + spareBufferCount {
      unsafe device.unmap(memory[index])
      if descriptors[index] >= 0 { close(descriptors[index]) }
    }
  }

  /// The oldest filled buffer; nil if there is none.
  mutating func dequeue() throws(VideoError) -> CameraFrame? {
    // A damaged picture goes straight back to the driver; a gap in the sequence numbers shows the loss.
    for _ in 0..<bufferCount {
      var buffer = video_buffer()
      guard device.control(VIDEO_DEQUEUE_BUFFER, &buffer) else {
        if lastSystemError == EAGAIN { return nil }
        throw VideoError("stopped")
      }
      let index = try takeBack(buffer.index)
      if buffer.is_damaged == 0, buffer.filled_byte_count > 0 { return frame(of: buffer) }
      try requeue(bufferIndex: index)
    }
    return nil
  }

  /// - Throws: for a buffer that the driver does not hold: it does not exist, or a worker is reading it.
  private mutating func takeBack(_ index: UInt32) throws(VideoError) -> Int {
    let bit: UInt8 = 1 << index
    guard queued & bit != 0 else { throw VideoError(implausible: "fills a buffer that was not queued") }
    queued &= ~bit
    return Int(index)
  }

  mutating func requeue(bufferIndex: Int) throws(VideoError) {
    var buffer = video_buffer()
    buffer.index = UInt32(bufferIndex)
    guard device.control(VIDEO_QUEUE_BUFFER, &buffer) else { throw VideoError("does not accept its buffer back") }
    queued |= 1 << UInt8(bufferIndex)
  }

  /// Uses the device itself if it could not be opened twice.
  func zooming(_ deviceName: FixedText<64>) -> V4L2Zooming {
    switch lens {
    case .some(let lens): V4L2Zooming(zoom: zoom, controls: lens.controls, deviceName: deviceName)
    case .none: V4L2Zooming(zoom: zoom, controls: device.controls, deviceName: deviceName)
    }
  }

  func bufferMemory(at index: Int) -> UnsafeRawBufferPointer {
    precondition(index < bufferCount + spareBufferCount, "a camera buffer asked for that does not exist")
    return unsafe UnsafeRawBufferPointer(memory[index])
  }

  /// Nil if the driver does not share its memory.
  func bufferDescriptor(at index: Int) -> Int32? {
    guard index < bufferCount + spareBufferCount, descriptors[index] >= 0 else { return nil }
    return descriptors[index]
  }

  private func frame(of buffer: video_buffer) -> CameraFrame {
    let index = Int(buffer.index)
    // A driver that predicts the end of exposure may give a timestamp in the future.
    let now = Instant.now
    let stamp = Instant(buffer.monotonic_nanoseconds)
    return CameraFrame(
      bufferIndex: index, byteCount: min(Int(buffer.filled_byte_count), unsafe memory[index].count),
      instant: stamp > .zero ? min(stamp, now) : now, sequence: buffer.sequence)
  }

  private mutating func mapBuffers(spareBufferCount wantedSpareCount: Int) throws(VideoError) {
    var request = v4l2_requestbuffers()
    request.count = Self.wantedBufferCount + UInt32(wantedSpareCount)
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    guard device.control(VIDEO_REQUEST_BUFFERS, &request) else { throw VideoError("provides no buffers") }
    let grantedCount = min(Int(request.count), Self.maximumBufferCount)
    guard grantedCount > 0 else { throw VideoError(implausible: "provides no buffers") }
    // If a driver grants too few buffers, the camera's own come first.
    let filledCount = max(grantedCount - wantedSpareCount, min(grantedCount, Int(Self.wantedBufferCount)))
    for index in 0..<grantedCount {
      var buffer = video_buffer()
      buffer.index = UInt32(index)
      guard device.control(VIDEO_QUERY_BUFFER, &buffer),
        let mapped = unsafe device.map(byteCount: Int(buffer.byte_count), offset: buffer.offset)
      else { throw VideoError("does not export its buffers") }
      unsafe memory[index] = mapped
      if index < filledCount { bufferCount += 1 } else { spareBufferCount += 1 }
      if format.pixelFormat != .mjpeg { descriptors[index] = device.export(bufferIndex: index) }
      if index < filledCount { try requeue(bufferIndex: index) }
    }
  }

  private func start() throws(VideoError) {
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    guard device.control(VIDEO_START, &type) else { throw VideoError("does not start") }
  }
}

/// Opens the camera directly if it offers one of our formats, otherwise through libv4l, which converts.
private func openCamera(_ request: CameraRequest) throws(VideoError) -> VideoDevice {
  let device = try openDevice(request.deviceName, isEmulated: false)
  if OfferedPixelFormats(of: device).best(requested: request.pixelFormat) != nil { return device }
  return try openDevice(request.deviceName, isEmulated: true)
}

private func openDevice(_ path: FixedText<64>, isEmulated: Bool) throws(VideoError) -> VideoDevice {
  guard let device = VideoDevice(path: path, isEmulated: isEmulated) else { throw VideoError("cannot be opened") }
  var capability = v4l2_capability()
  guard device.control(VIDEO_QUERY_CAPABILITY, &capability) else {
    throw VideoError(unsupported: "is not a camera")
  }
  let wanted = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
  guard capability.device_caps & wanted == wanted else {
    throw VideoError(unsupported: "provides no video stream")
  }
  return device
}

/// Sets format, size and frame rate, the nearest that the camera offers.
private func negotiateFormat(
  with device: borrowing VideoDevice, _ request: CameraRequest
) throws(VideoError) -> VideoFormat {
  let offered = OfferedPixelFormats(of: device)
  let chosen = offered.bestMode(of: device, request)
  guard let pixelFormat = chosen?.pixelFormat ?? offered.best(requested: request.pixelFormat),
    let code = offered.code(of: pixelFormat)
  else { throw VideoError(unsupported: "offers neither MJPEG nor YUYV, NV12 or YU12") }
  // A driver that does not list its sizes chooses the nearest itself.
  let size = chosen?.size ?? request.size
  var picture = v4l2_pix_format()
  picture.width = UInt32(size.widthPixels)
  picture.height = UInt32(size.heightPixels)
  picture.pixelformat = code
  picture.field = V4L2_FIELD_NONE.rawValue
  guard device.setFormat(&picture), picture.pixelformat == code,
    let width = UInt16(exactly: picture.width), let height = UInt16(exactly: picture.height)
  else { throw VideoError("refuses the size and format") }
  let format = VideoFormat(
    widthPixels: width, heightPixels: height, pixelFormat: pixelFormat,
    bytesPerRow: pixelFormat == .mjpeg ? 0 : picture.bytesperline,
    frameRate: negotiateFrameRate(with: device, request.frameRate),
    colorRange: unsafe video_has_full_range(&picture) ? .full : .limited)
  guard format.isRecordable else { throw VideoError(unsupported: "sends frames of a size that cannot be recorded") }
  return format
}

extension VideoFormat {
  /// Whether the encoders can take the picture's sides and rows.
  fileprivate var isRecordable: Bool {
    let sides = CameraLimits.sidePixels
    guard sides.contains(widthPixels), sides.contains(heightPixels), (widthPixels | heightPixels) & 1 == 0 else {
      return false
    }
    let leastRowByteCount: UInt32
    switch pixelFormat {
    case .mjpeg: return true
    case .yuyv: leastRowByteCount = 2 * UInt32(widthPixels)
    case .nv12, .yuv420: leastRowByteCount = UInt32(widthPixels)
    }
    return bytesPerRow & 1 == 0 && bytesPerRow >= leastRowByteCount && bytesPerRow <= CameraLimits.longestRowByteCount
  }
}

/// - Returns: the rate that the camera reports; the wanted one if it reports none or an impossible one.
private func negotiateFrameRate(with device: borrowing VideoDevice, _ wanted: FrameRate) -> FrameRate {
  var interval = v4l2_fract(numerator: wanted.seconds, denominator: wanted.frames)
  guard device.setFrameInterval(&interval), interval.numerator > 0, interval.denominator > 0 else { return wanted }
  let rate = FrameRate(frames: interval.denominator, seconds: interval.numerator)
  return rate.framesPerSecond <= CameraLimits.fastestFramesPerSecond ? rate : wanted
}
