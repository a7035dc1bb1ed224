/// The format that the camera agreed to deliver.
package struct VideoFormat: BitwiseCopyable, Equatable, Sendable {
  /// 16…4,096, even.
  package var widthPixels: UInt16
  /// 16…4,096, even.
  package var heightPixels: UInt16
  package var pixelFormat: PixelFormat
  /// The distance in bytes between two rows of the first plane; 0 for compressed pictures.
  package var bytesPerRow: UInt32
  /// The nominal rate; each picture's actual time is its timestamp.
  package var frameRate: FrameRate
  /// The range of a raw picture's samples; a compressed picture contains its own.
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
  /// A JPEG picture in each buffer, passed through to the file unchanged.
  case mjpeg
  /// 4:2:2 packed, Y0 U Y1 V (V4L2 `YUYV`).
  case yuyv
  /// 4:2:0, a luma plane and a plane of interleaved U V (V4L2 `NV12`).
  case nv12
  /// 4:2:0, three planes Y, U, V (V4L2 `YU12`).
  case yuv420
}

/// The range of the luma and colour difference samples in a picture.
package enum ColorRange: UInt8, BitwiseCopyable, Sendable {
  /// 16…235 for luma, 16…240 for the colour differences (ITU-R BT.601-7, clause 2.5.3): what most cameras deliver.
  case limited
  /// 0…255 for all three: what a JPEG file holds (ITU-T T.871, clause 7).
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

  /// The time between two pictures, rounded down; 0 without pictures.
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
  /// ITU-T H.264, from the machine's own encoder.
  case h264
  /// The codec of the Linux kernel's test driver `vicodec`, which replaces H.264 where there is no H.264 encoder.
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
  /// The sample frame on the timeline that was recorded at the moment of exposure.
  package var samplePosition: TimelinePosition
  /// The moment of exposure on the monotonic clock.
  package var instant: Instant
  /// The driver's frame counter; a gap means that the driver dropped a picture.
  package var cameraSequence: UInt32
  /// Whether the picture can be decoded without earlier ones; always true for a JPEG.
  package var isKeyframe: Bool
  /// Whether the picture did not come from the camera, but replaces one while the camera is lost.
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

/// A picture on its way to the encoder: it stays in the camera's own buffer, and only the buffer's index is passed on.
package struct RawPicture: BitwiseCopyable, Equatable, Sendable {
  /// The camera's number for the buffer.
  package var bufferIndex: UInt16
  /// Bytes filled by the camera.
  package var byteCount: Int
  package var header: PictureHeader
  /// At least 1: the encoder crops to the middle of the picture, 1 / `zoomFactor` of each side.
  package var zoomFactor: Double

  package init(bufferIndex: UInt16, byteCount: Int, header: PictureHeader, zoomFactor: Double = 1) {
    self.bufferIndex = bufferIndex
    self.byteCount = byteCount
    self.header = header
    self.zoomFactor = zoomFactor
  }
}

/// How many pixels per second the machine can handle.
package struct PictureBudget: BitwiseCopyable, Equatable, Sendable {
  /// For pictures encoded by this machine; nil if unlimited.
  package var encodedPixelsPerSecond: Double?
  /// For all pictures held until they are on the card; nil if unlimited.
  package var keptPixelsPerSecond: Double?

  /// No limits.
  package init() {}

  /// How far a format exceeds the budget; 0 if it is within it.
  package func excess(_ pixelFormat: PixelFormat, _ size: FrameSize, _ rate: FrameRate) -> Double {
    let wanted = Double(size.widthPixels) * Double(size.heightPixels) * rate.framesPerSecond
    let encoded = pixelFormat == .mjpeg ? nil : encodedPixelsPerSecond
    return max(wanted - min(encoded ?? wanted, keptPixelsPerSecond ?? wanted), 0)
  }
}
