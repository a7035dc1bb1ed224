import CVideo4Linux

/// The kernel as an encoder sees it: the requests that it makes of its device node. A request that fails leaves an
/// `errno`.
@usableFromInline protocol CodecDevice: ~Copyable {
  /// Whether buffers have a list of planes (`V4L2_CAP_VIDEO_M2M_MPLANE`); nil for a device that codes nothing.
  var isMultiplanar: Bool? { get }

  /// VIDIOC_S_FMT; `format` is afterwards what the device made of it.
  func setFormat(_ format: inout coder_format) -> Bool
  /// VIDIOC_S_PARM.
  func setPictureInterval(_ seconds: v4l2_fract, queue: UInt32)
  /// VIDIOC_S_SELECTION: the upper left corner of the picture is all that is to be seen.
  func setVisible(widthPixels: UInt32, heightPixels: UInt32) -> Bool
  /// VIDIOC_S_CTRL.
  @discardableResult
  func setControl(_ identifier: UInt32, _ value: Int32) -> Bool
  /// VIDIOC_REQBUFS.
  /// - Returns: how many there are; nil on failure.
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
  /// Maps a buffer of the driver's into our memory.
  func map(byteCount: Int, offset: UInt32) -> UnsafeMutableRawBufferPointer?
  func unmap(_ memory: UnsafeMutableRawBufferPointer)
  /// Returns when a buffer may be dequeued, at the latest after `milliseconds`.
  func wait(milliseconds: Int32)
}
