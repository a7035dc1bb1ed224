import CLinux
import CVideo4Linux

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
    // A queue that has stopped is an error at once, which must not make a busy loop of waiting.
    guard count > 0, watched.revents & Int16(POLLIN | POLLOUT) == 0 else { return }
    _ = poll(nil, 0, milliseconds)
  }
}
