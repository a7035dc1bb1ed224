import CDeviceArena
import CLinux
import CVideo4Linux

/// The requests that an encoder makes to its device node. A request that fails sets `errno`.
@usableFromInline protocol CodecDevice: ~Copyable {
  /// Whether buffers have a list of planes (`V4L2_CAP_VIDEO_M2M_MPLANE`); nil if the device is not a codec.
  var isMultiplanar: Bool? { get }

  /// VIDIOC_S_FMT; `format` then holds what the device chose.
  func setFormat(_ format: inout coder_format) -> Bool
  /// VIDIOC_S_PARM.
  func setPictureInterval(_ seconds: v4l2_fract, queue: UInt32)
  /// VIDIOC_S_SELECTION: crops the picture to its upper left corner.
  func setVisible(widthPixels: UInt32, heightPixels: UInt32) -> Bool
  /// VIDIOC_S_CTRL.
  @discardableResult
  func setControl(_ identifier: UInt32, _ value: Int32) -> Bool
  /// VIDIOC_REQBUFS.
  /// - Returns: how many were granted; nil on failure.
  func requestBuffers(_ count: UInt32, queue: UInt32, memory: UInt32) -> Int?
  /// VIDIOC_QUERYBUF, VIDIOC_QBUF or VIDIOC_DQBUF.
  func exchange(_ request: video_request, _ buffer: inout coder_buffer) -> Bool
  /// VIDIOC_STREAMON.
  func start(queue: UInt32) -> Bool
  /// VIDIOC_STREAMOFF.
  @discardableResult
  func stop(queue: UInt32) -> Bool
  /// VIDIOC_ENCODER_CMD with V4L2_ENC_CMD_STOP.
  func stopEncoding() -> Bool
  /// Maps one of the driver's buffers into our memory.
  func map(byteCount: Int, offset: UInt32) -> UnsafeMutableRawBufferPointer?
  func unmap(_ memory: UnsafeMutableRawBufferPointer)
  /// Returns once a buffer may be dequeued, after `milliseconds` at the latest.
  func wait(milliseconds: Int32)
}

extension VideoDevice: CodecDevice {
  @usableFromInline var isMultiplanar: Bool? {
    var capability = v4l2_capability()
    guard control(VIDEO_QUERY_CAPABILITY, &capability) else { return nil }
    if capability.device_caps & UInt32(V4L2_CAP_VIDEO_M2M_MPLANE) != 0 { return true }
    return capability.device_caps & UInt32(V4L2_CAP_VIDEO_M2M) != 0 ? false : nil
  }

  @usableFromInline func setFormat(_ format: inout coder_format) -> Bool {
    unsafe video_set_coder_format(number, &format) != -1
  }

  @usableFromInline func setPictureInterval(_ seconds: v4l2_fract, queue: UInt32) {
    _ = video_set_coder_interval(number, queue, seconds)
  }

  @usableFromInline func setVisible(widthPixels: UInt32, heightPixels: UInt32) -> Bool {
    video_set_coder_crop(number, widthPixels, heightPixels) != -1
  }

  @discardableResult
  @usableFromInline func setControl(_ identifier: UInt32, _ value: Int32) -> Bool {
    var setting = v4l2_control(id: identifier, value: value)
    return control(VIDEO_SET_CONTROL, &setting)
  }

  @usableFromInline func requestBuffers(_ count: UInt32, queue: UInt32, memory: UInt32) -> Int? {
    var request = v4l2_requestbuffers()
    request.count = count
    request.type = queue
    request.memory = memory
    return control(VIDEO_REQUEST_BUFFERS, &request) ? Int(request.count) : nil
  }

  @usableFromInline func exchange(_ request: video_request, _ buffer: inout coder_buffer) -> Bool {
    unsafe video_control_coder_buffer(number, request, &buffer) != -1
  }

  @usableFromInline func start(queue: UInt32) -> Bool {
    var type = queue
    return control(VIDEO_START, &type)
  }

  @discardableResult
  @usableFromInline func stop(queue: UInt32) -> Bool {
    var type = queue
    return control(VIDEO_STOP, &type)
  }

  @usableFromInline func stopEncoding() -> Bool { video_stop_encoding(number) != -1 }

  @usableFromInline func wait(milliseconds: Int32) {
    var watched = pollfd(fd: number, events: Int16(POLLIN | POLLOUT), revents: 0)
    let count = unsafe poll(&watched, 1, milliseconds)
    // For a stopped queue, poll returns an error at once; sleep, so that waiting does not become a busy loop.
    guard count > 0, watched.revents & Int16(POLLIN | POLLOUT) == 0 else { return }
    _ = poll(nil, 0, milliseconds)
  }
}

/// The fixed memory that device libraries use when a device is opened or closed after boot.
enum DeviceArena {
  /// After boot, `malloc` on this thread is served from the arena during `body`.
  static func serve<Result: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    device_arena_enter()
    defer { device_arena_leave() }
    return try body()
  }
}
