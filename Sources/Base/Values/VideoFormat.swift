/// The format that the camera agreed to deliver.
package struct VideoFormat: BitwiseCopyable, Equatable, Sendable {
  /// 16…4,096, even.
  package var widthPixels: UInt16
  /// 16…4,096, even.
  package var heightPixels: UInt16
  package var pixelFormat: PixelFormat
  /// Bytes from one row of the first plane to the next; 0 for compressed pictures.
  package var bytesPerRow: UInt32
  /// The nominal rate; a picture's own time is its timestamp.
  package var frameRate: FrameRate
  /// The range of a raw picture's samples; a compressed one contains its own.
  package var colorRange: ColorRange

  package init(
    widthPixels: UInt16, heightPixels: UInt16, pixelFormat: PixelFormat, bytesPerRow: UInt32, frameRate: FrameRate,
    colorRange: ColorRange = .full
  ) {
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.pixelFormat = pixelFormat
    self.bytesPerRow = bytesPerRow
    self.frameRate = frameRate
    self.colorRange = colorRange
  }
}

/// The layout of a camera's pictures.
package enum PixelFormat: UInt8, BitwiseCopyable, Sendable {
  /// A JPEG picture in each buffer, passed through to the file.
  case mjpeg
  /// 4:2:2 packed, Y0 U Y1 V (V4L2 `YUYV`).
  case yuyv
  /// 4:2:0, a luma plane and a plane of interleaved U V (V4L2 `NV12`).
  case nv12
  /// 4:2:0, three planes Y, U, V (V4L2 `YU12`).
  case yuv420
}

/// The range of the samples of luma and colour difference in a picture.
package enum ColorRange: UInt8, BitwiseCopyable, Sendable {
  /// 16…235 for luma, 16…240 for the differences (ITU-R BT.601-7, clause 2.5.3): what most cameras deliver.
  case limited
  /// 0…255 for all: what a JPEG file holds (ITU-T T.871, clause 7).
  case full
}

/// Frames per second as the exact fraction reported by the camera.
package struct FrameRate: BitwiseCopyable, Equatable, Sendable {
  package var frames: UInt32
  /// The denominator: 30000 frames in 1001 seconds are NTSC's 29.97 per second.
  package var seconds: UInt32

  package init(frames: UInt32, seconds: UInt32 = 1) {
    self.frames = frames
    self.seconds = seconds
  }

  /// The rate as a number, for display only; calculations use the fraction.
  package var framesPerSecond: Double { Double(frames) / Double(max(seconds, 1)) }

  /// From one picture to the next, rounded down; 0 where there are no pictures.
  package var periodNanoseconds: UInt64 { frames == 0 ? 0 : UInt64(seconds) * 1_000_000_000 / UInt64(frames) }
}

/// The size of a camera's picture.
package struct FrameSize: BitwiseCopyable, Equatable, Sendable {
  package var widthPixels: UInt16
  package var heightPixels: UInt16

  package init(widthPixels: UInt16, heightPixels: UInt16) {
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
  }
}

extension VideoFormat {
  package var size: FrameSize { FrameSize(widthPixels: widthPixels, heightPixels: heightPixels) }
}

/// How pictures are coded in a file.
package enum VideoCodec: UInt8, BitwiseCopyable, Choice {
  /// Each picture is a separate JPEG (ITU-T T.81).
  case mjpeg
  /// ITU-T H.264, by the machine's own encoder.
  case h264
  /// The codec of the Linux kernel's test driver `vicodec`, which stands in for H.264 where there is no such encoder.
  case fwht

  /// Whether decoding a picture may need earlier ones, back to the last keyframe.
  package var hasDependentPictures: Bool { self != .mjpeg }

  package var name: StaticString {
    switch self {
    case .mjpeg: "mjpeg"
    case .h264: "h264"
    case .fwht: "fwht"
    }
  }
}

/// The metadata of an encoded picture on its way to the file.
package struct PictureHeader: BitwiseCopyable, Equatable, Sendable {
  /// The sample frame on the timeline that was recorded at the instant of exposure.
  package var samplePosition: TimelinePosition
  /// The instant of exposure on the monotonic clock.
  package var instant: Instant
  /// The driver's count; a gap is a picture that the driver dropped.
  package var cameraSequence: UInt32
  /// Whether it can be decoded without earlier pictures; always true for a JPEG.
  package var isKeyframe: Bool
  /// Whether it is none of the camera's, but stands for one while the camera is lost.
  package var isStandIn: Bool

  package init(
    samplePosition: TimelinePosition, instant: Instant, cameraSequence: UInt32, isKeyframe: Bool = true,
    isStandIn: Bool = false
  ) {
    self.samplePosition = samplePosition
    self.instant = instant
    self.cameraSequence = cameraSequence
    self.isKeyframe = isKeyframe
    self.isStandIn = isStandIn
  }
}

/// A picture on its way to the encoder: it stays in the camera's own buffer, and only the buffer's index travels.
package struct RawPicture: BitwiseCopyable, Equatable, Sendable {
  /// The camera's number for the buffer.
  package var bufferIndex: UInt16
  /// Bytes filled by the camera.
  package var byteCount: Int
  package var header: PictureHeader
  /// 1 or more: the encoder shows the middle of the picture, 1 / `zoomFactor` of each side.
  package var zoomFactor: Double

  package init(bufferIndex: UInt16, byteCount: Int, header: PictureHeader, zoomFactor: Double = 1) {
    self.bufferIndex = bufferIndex
    self.byteCount = byteCount
    self.header = header
    self.zoomFactor = zoomFactor
  }
}

/// How many pixels a second the machine can take in.
package struct PictureBudget: BitwiseCopyable, Equatable, Sendable {
  /// Of pictures that are encoded here; nil: any number.
  package var encodedPixelsPerSecond: Double?
  /// Of all that are kept until the card has them; nil: any number.
  package var keptPixelsPerSecond: Double?

  /// Everything.
  package init() {}

  /// How much too much a format is; 0 for one that can be taken in.
  package func excess(_ pixelFormat: PixelFormat, _ size: FrameSize, _ rate: FrameRate) -> Double {
    let wanted = Double(size.widthPixels) * Double(size.heightPixels) * rate.framesPerSecond
    let encoded = pixelFormat == .mjpeg ? nil : encodedPixelsPerSecond
    return max(wanted - min(encoded ?? wanted, keptPixelsPerSecond ?? wanted), 0)
  }
}
