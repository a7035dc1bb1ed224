import Base
import CVideo4Linux

/// The formats that an encoder agreed to, negotiated in the order that the kernel prescribes.
struct EncoderSetup {
  /// `V4L2_BUF_TYPE_…` of the queue that takes pictures.
  let pictureQueue: UInt32
  /// `V4L2_BUF_TYPE_…` of the queue that returns packets.
  let packetQueue: UInt32
  /// The picture layout that the device wants.
  let layout: VideoFormat
  /// Whether the camera's buffers have that layout.
  let isShareable: Bool

  init(_ device: borrowing some CodecDevice & ~Copyable, _ request: VideoEncoderRequest) throws(VideoError) {
    guard let isMultiplanar = device.isMultiplanar else { throw VideoError(unsupported: "does not encode") }
    pictureQueue =
      isMultiplanar ? V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    packetQueue =
      isMultiplanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    try Self.setCodedFormat(device, queue: packetQueue, request)
    let raw = try Self.setRawFormat(device, queue: pictureQueue, request.picture)
    layout = try Self.layout(raw, of: request.picture)
    isShareable = layout == request.picture && Int(raw.byte_count) <= request.sharedBuffers?.byteCount ?? 0
    let rate = request.picture.frameRate
    device.setPictureInterval(v4l2_fract(numerator: rate.seconds, denominator: rate.frames), queue: pictureQueue)
    Self.setControls(device, request)
  }

  private static func setCodedFormat(
    _ device: borrowing some CodecDevice & ~Copyable, queue: UInt32, _ request: VideoEncoderRequest
  ) throws(VideoError) {
    var coded = coder_format()
    coded.type = queue
    coded.code = request.codec == .fwht ? video_format_fwht() : video_format_h264()
    coded.width = UInt32(request.picture.widthPixels)
    coded.height = UInt32(request.picture.heightPixels)
    coded.byte_count = coded.width * coded.height / EncoderLimits.pixelsPerPacketByte
    let wanted = coded.code
    guard device.setFormat(&coded) else { throw VideoError("refuses the codec") }
    guard coded.code == wanted, coded.plane_count == 1 else {
      throw VideoError(unsupported: "does not have this codec")
    }
  }

  private static func setRawFormat(
    _ device: borrowing some CodecDevice & ~Copyable, queue: UInt32, _ picture: VideoFormat
  ) throws(VideoError) -> coder_format {
    var raw = coder_format()
    raw.type = queue
    raw.code = code(of: picture.pixelFormat)
    raw.width = UInt32(picture.widthPixels)
    raw.height = UInt32(picture.heightPixels)
    raw.bytes_per_row = picture.bytesPerRow
    raw.has_full_range = picture.colorRange == .full ? 1 : 0
    let wanted = raw
    guard device.setFormat(&raw) else { throw VideoError("refuses the camera's frames") }
    guard raw.code == wanted.code, raw.plane_count == 1, raw.width >= wanted.width, raw.height >= wanted.height else {
      throw VideoError(unsupported: "does not accept the camera's frame format")
    }
    let isWhole = raw.width == wanted.width && raw.height == wanted.height
    guard isWhole || device.setVisible(widthPixels: wanted.width, heightPixels: wanted.height) else {
      throw VideoError("accepts only larger frames than the camera's")
    }
    return raw
  }

  /// The encoder may want longer rows, and more of them, than the camera delivers.
  private static func layout(_ raw: coder_format, of picture: VideoFormat) throws(VideoError) -> VideoFormat {
    guard let width = UInt16(exactly: raw.width), let height = UInt16(exactly: raw.height) else {
      throw VideoError(unsupported: "accepts only larger frames than the camera's")
    }
    var layout = picture
    layout.widthPixels = width
    layout.heightPixels = height
    layout.bytesPerRow = raw.bytes_per_row
    return layout
  }

  private static func code(of format: PixelFormat) -> UInt32 {
    switch format {
    case .mjpeg: video_format_mjpeg()
    case .yuyv: video_format_yuyv()
    case .nv12: video_format_nv12()
    case .yuv420: video_format_yuv420()
    }
  }

  /// An encoder has only some of these controls and may ignore them, so packets are checked when they arrive.
  private static func setControls(_ device: borrowing some CodecDevice & ~Copyable, _ request: VideoEncoderRequest) {
    let group = Int32(clamping: request.picturesPerKeyframe)
    device.setControl(video_control_bit_rate(), Int32(clamping: request.bitsPerSecond))
    device.setControl(video_control_group_size(), group)
    guard request.codec == .h264 else { return }
    device.setControl(video_control_intra_period(), group)
    // Each keyframe in one packet after its parameter sets, and packets in the order of the pictures.
    device.setControl(video_control_repeat_header(), 1)
    device.setControl(video_control_header_mode(), Int32(V4L2_MPEG_VIDEO_HEADER_MODE_JOINED_WITH_1ST_FRAME.rawValue))
    device.setControl(video_control_b_frames(), 0)
    device.setControl(video_control_profile(), Int32(V4L2_MPEG_VIDEO_H264_PROFILE_HIGH.rawValue))
    // 1080p at 30 pictures per second, up to 62.5 Mbit/s in the high profile (ITU-T H.264, table A-1).
    device.setControl(video_control_level(), Int32(V4L2_MPEG_VIDEO_H264_LEVEL_4_1.rawValue))
  }
}

/// An encoder's state, following the kernel's "Memory-to-Memory Stateful Video Encoder Interface".
enum EncoderState: UInt8, Sendable {
  /// Nothing is agreed.
  case closed
  /// Formats, controls and buffers are agreed; no stream is running (the kernel's "stopped" state).
  case configured
  /// Pictures go in and packets come out (the kernel's "encoding" state).
  case streaming
  /// No more pictures go in; the remaining packets come out (the kernel's "drain" state).
  case draining
  /// The last packet has come out.
  case drained
  /// The device refused a mandatory request; it can only be closed.
  case failed

  /// The complete transition table.
  /// - Returns: nil if the event is impossible in this state.
  func after(_ event: EncoderEvent) -> EncoderState? {
    switch (self, event) {
    case (.closed, .configured): .configured
    case (.configured, .started), (.drained, .started): .streaming
    case (.streaming, .stopOrdered): .draining
    case (.draining, .lastPacketCame): .drained
    case (.closed, .failed): nil
    case (_, .failed): .failed
    default: nil
    }
  }
}

enum EncoderEvent: UInt8, Sendable {
  /// Formats, controls and buffers are agreed.
  case configured
  /// Both queues are streaming.
  case started
  /// The encoder was told that no more pictures follow.
  case stopOrdered
  /// A packet was marked as the last.
  case lastPacketCame
  /// The device refused a request.
  case failed
}
