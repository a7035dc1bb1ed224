import Base
import CLinux
import CVideo4Linux

/// An open V4L2 device, closed at the end of the value's lifetime.
// Destroyed with the machine in another module, which must see its deinit.
@usableFromInline struct VideoDevice: ~Copyable {
  let number: Int32
  /// Whether libv4l converts the pictures.
  private let isEmulated: Bool

  /// - Returns: nil on failure; ``lastSystemError`` says why.
  init?(path: FixedText<64>, isEmulated: Bool) {
    let opened = unsafe path.withCString { unsafe linux_openat(AT_FDCWD, $0, O_RDWR | O_NONBLOCK | O_CLOEXEC, 0) }
    guard opened >= 0 else { return nil }
    guard !isEmulated || v4l2_fd_open(opened, 0) >= 0 else {
      CLinux.close(opened)
      return nil
    }
    number = opened
    self.isEmulated = isEmulated
  }

  deinit {
    // Either call closes the descriptor; libv4l also frees its own state.
    if isEmulated { v4l2_close(number) } else { CLinux.close(number) }
  }

  /// For requests, while the device is open.
  var controls: VideoControls { VideoControls(number: number, isEmulated: isEmulated) }

  /// Makes one request with the structure that it takes.
  /// - Returns: false on failure; ``lastSystemError`` says why.
  func control<Argument: BitwiseCopyable>(_ request: video_request, _ argument: inout Argument) -> Bool {
    controls.control(request, &argument)
  }

  /// Requests a size and a pixel format; `picture` then holds what the device chose.
  func setFormat(_ picture: inout v4l2_pix_format) -> Bool {
    unsafe video_set_format(number, isEmulated ? 1 : 0, &picture) != -1
  }

  /// Requests a frame interval; `seconds` then holds what the device chose.
  func setFrameInterval(_ seconds: inout v4l2_fract) -> Bool {
    unsafe video_set_frame_interval(number, isEmulated ? 1 : 0, &seconds) != -1
  }

  /// The `index`th size or range of sizes of a pixel format; nil after the last.
  func sizes(of pixelFormat: UInt32, at index: UInt32) -> video_sizes? {
    var sizes = video_sizes()
    let result = unsafe video_enumerate_size(number, isEmulated ? 1 : 0, pixelFormat, index, &sizes)
    return result == -1 ? nil : sizes
  }

  /// The `index`th frame interval at a size; nil after the last.
  func interval(of pixelFormat: UInt32, width: UInt32, height: UInt32, at index: UInt32) -> v4l2_fract? {
    var seconds = v4l2_fract()
    let result = unsafe video_enumerate_interval(
      number, isEmulated ? 1 : 0, pixelFormat, width, height, index, &seconds)
    return result == -1 ? nil : seconds
  }

  /// Queries, queues or dequeues a buffer.
  func control(_ request: video_request, _ buffer: inout video_buffer) -> Bool {
    unsafe video_control_buffer(number, isEmulated ? 1 : 0, request, &buffer) != -1
  }

  /// A descriptor through which other devices read a buffer in place.
  /// - Returns: -1 if the driver refuses, and if libv4l converts: it would share the picture before conversion.
  func export(bufferIndex: Int) -> Int32 {
    guard !isEmulated else { return -1 }
    var request = v4l2_exportbuffer()
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.index = UInt32(bufferIndex)
    request.flags = UInt32(O_CLOEXEC | O_RDWR)
    return control(VIDEO_EXPORT_BUFFER, &request) ? request.fd : -1
  }

  /// Maps one of the driver's buffers into our memory.
  @usableFromInline func map(byteCount: Int, offset: UInt32) -> UnsafeMutableRawBufferPointer? {
    guard let memory = unsafe video_map(number, isEmulated ? 1 : 0, byteCount, Int64(offset)) else { return nil }
    return unsafe UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
  }

  @usableFromInline func unmap(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    unsafe video_unmap(isEmulated ? 1 : 0, start, memory.count)
  }
}

/// Makes requests to a device that is open.
struct VideoControls: BitwiseCopyable, Sendable {
  let number: Int32
  let isEmulated: Bool

  /// See ``VideoDevice/control(_:_:)``.
  func control<Argument: BitwiseCopyable>(_ request: video_request, _ argument: inout Argument) -> Bool {
    // Safe: every caller passes the structure that videodev2.h pairs with the request.
    unsafe video_control(number, isEmulated ? 1 : 0, request, &argument) != -1
  }
}

/// A step that a camera refused.
struct VideoError: Error {
  /// The end of a sentence that starts with the camera's name.
  var problem: StaticString
  var kind: DeviceFailure.Kind
  var systemErrorNumber: Int32

  /// For a call that has just failed and set `errno`.
  init(_ problem: StaticString) {
    self.problem = problem
    systemErrorNumber = lastSystemError
    kind = DeviceFailure.Kind(systemErrorNumber: systemErrorNumber)
  }

  /// For something that the camera does not offer.
  init(unsupported problem: StaticString) {
    self.problem = problem
    systemErrorNumber = 0
    kind = .unsupported
  }

  /// For an answer from the driver that cannot be true.
  init(implausible problem: StaticString) {
    self.problem = problem
    systemErrorNumber = 0
    kind = .failed
  }
}

/// The controls of a V4L2 device, through VIDIOC_QUERY_EXT_CTRL and VIDIOC_G/S_EXT_CTRLS.
extension VideoControls {
  /// Changes controls, then lists them all.
  func change(_ change: ControlChange) throws(VideoError) -> ControlList {
    if case .set(let identifier, let value) = change, !set(identifier, to: value) {
      throw VideoError("refuses this value")
    }
    var list = list
    guard case .reset = change else { return list }
    var refusedCount = 0
    for index in 0..<list.count {
      guard let control = list[index], control.lock != .readOnly else { continue }
      // A control without effect at present may refuse, or accept, a value.
      let isSet = set(control.identifier, to: min(max(control.usual, control.least), control.most))
      if !isSet, control.lock == .none { refusedCount += 1 }
    }
    list = self.list
    list.refusedCount = refusedCount
    return list
  }

  private func set(_ identifier: UInt32, to value: Int64) -> Bool {
    video_set_control_value(number, isEmulated ? 1 : 0, identifier, value) != -1
  }

  /// Every numeric control. The driver's answers are not trusted: no identifier is queried twice, and an invalid range
  /// is left out.
  private var list: ControlList {
    var list = ControlList()
    var identifier: UInt32 = 0
    for _ in 0..<CameraLimits.queriedControls {
      var query = video_control_query()
      query.identifier = identifier
      guard unsafe video_next_control(number, isEmulated ? 1 : 0, &query) != -1, query.identifier > identifier else {
        break
      }
      identifier = query.identifier
      if let control = control(query) { list.append(control) }
    }
    return list
  }

  private func control(_ query: video_control_query) -> DeviceControl? {
    guard query.is_number != 0, query.is_disabled == 0, query.least <= query.most else { return nil }
    var control = DeviceControl()
    control.identifier = query.identifier
    control.name = unsafe withUnsafeBytes(of: query.name) { unsafe FixedText(asWord: $0) }
    guard !control.name.isEmpty,
      unsafe video_get_control_value(number, isEmulated ? 1 : 0, query.identifier, query.is_long, &control.value) != -1
    else { return nil }
    control.usual = query.usual
    control.least = query.least
    control.most = query.most
    control.step = max(query.step, 1)
    // The recorder sets this one itself, to zoom.
    if query.is_read_only != 0 || query.identifier == OwnZoom.controlIdentifier {
      control.lock = .readOnly
    } else if query.is_inactive != 0 {
      control.lock = .inactive
    }
    return control
  }
}
