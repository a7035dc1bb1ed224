import Base

/// The content of the simulated camera's pictures.
package enum SimPictures: UInt8, Sendable {
  /// A test picture for programs and people.
  case scene
  /// Pictures that cost almost nothing: JPEGs that hold a number and no image, and identical raw pictures.
  case numbers
}

package struct SimSettings: Sendable {
  /// Determines the noise of the microphone and accelerometer and the bounce of the buttons.
  package var seed: UInt64 = 0
  package var faults = FaultPlan()
  /// What the clock shows.
  package var wallClock = SimWallClock()
  /// The temperature.
  package var heat = SimHeat()
  /// The battery and its gauge.
  package var battery = SimBatterySettings()
  /// Whether sleeping takes real time.
  package var timeMode = SimTimeMode.virtual
  /// The only format offered by the microphone.
  package var audioFormat = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  /// What is done to the microphone's sound.
  package var sound = SoundProcessing()
  /// The format in which that sound is recorded; nil for the card's.
  package var recordedFormat: SampleFormat?
  /// The content of the pictures.
  package var pictures = SimPictures.scene
  /// The minimum size of a JPEG that holds a number, in bytes: 12 or more, and at least 49 less than a raw picture of
  /// its size.
  package var numberByteCount = 12
  /// Width of the only size offered by the camera: an even number, 160 or more for a scene.
  package var widthPixels: UInt16 = 640
  /// Height of that size: an even number, 120 or more for a scene.
  package var heightPixels: UInt16 = 480
  /// The only frame rate offered by the camera; 30000/1001 is valid too.
  package var frameRate = FrameRate(frames: 30)
  /// The only pixel format offered by the camera. An MJPEG picture is encoded when it is fetched, by the thread that
  /// fetches it.
  package var pixelFormat = PixelFormat.yuv420
  /// Whether the camera's JPEGs include their Huffman tables, which many cameras omit.
  package var hasHuffmanTables = true
  /// 1…8, as with real drivers.
  package var cameraBufferCount = 6
  /// The maximum number of buffers not filled by the camera; at most 8 together with those that it fills.
  package var spareCameraBufferCount = 0
  /// The camera's own maximum zoom, above 1, which its pictures do not show; nil if it cannot zoom.
  package var cameraMaximumZoom: Double?
  /// Frequency error of the microphone's crystal, -1,000…1,000; positive is fast.
  package var microphonePartsPerMillion: Int32 = 0
  /// Frequency error of the camera's crystal, -1,000…1,000; positive is fast.
  package var cameraPartsPerMillion: Int32 = 0
  /// Frequency error of the speaker's crystal, -1,000…1,000; positive is fast.
  package var speakerPartsPerMillion: Int32 = 0
  /// The file for the speaker's output, relative to the data folder or absolute; nil if there is none.
  package var speakerFileName: FixedText<64>?
  /// How the microphone hears the speaker; nil if it does not.
  package var echo: SimEcho?
  /// What the microphone hears besides noise.
  package var calls = SimCalls()
  /// The period in seconds in whose last two the scene moves and is otherwise still; 0 for a scene that always moves.
  package var motionPeriodSeconds: UInt32 = 0
  /// Whether it hears a click at each second.
  package var hasClicks = true
  /// The satellite receiver.
  package var receiver = SimReceiverKind.none
  /// A folder with files as in sysfs, for what can be switched off; nil for a machine without such parts.
  package var sysfsRoot: FixedText<64>?
  /// Files and displays.
  package var host = HostSettings()

  /// A complete machine with the defaults above, on a virtual clock.
  package init() {}

  /// Whether the size allows the configured content to be drawn.
  var canDraw: Bool {
    (pictures == .numbers || widthPixels >= 160 && heightPixels >= 120) && (widthPixels | heightPixels) & 1 == 0
  }

  /// Whether the camera encodes its pictures to JPEG.
  var codesPictures: Bool { pixelFormat == .mjpeg && pictures == .scene && canDraw }

  /// The camera's output format.
  var pictureFormat: VideoFormat {
    guard pixelFormat == .mjpeg else { return drawnFormat }
    return VideoFormat(
      widthPixels: widthPixels, heightPixels: heightPixels, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: frameRate)
  }

  /// The camera's output format while it is ``Fault/Kind/changed``: half the size in another layout. Numbers have no
  /// size, and become too large for a recorder.
  var changedPictureFormat: VideoFormat {
    guard pictures == .scene else {
      var format = pictureFormat
      format.widthPixels *= 4
      return format
    }
    return changed.pictureFormat
  }

  /// The settings of the camera while it is changed.
  var changed: SimSettings {
    var changed = self
    changed.widthPixels = widthPixels / 2 & ~1
    changed.heightPixels = heightPixels / 2 & ~1
    if pixelFormat != .mjpeg { changed.pixelFormat = pixelFormat == .yuyv ? .nv12 : .yuyv }
    return changed
  }

  /// The format in which pictures are drawn: 4:2:2 for JPEGs, as in most cameras that encode.
  var drawnFormat: VideoFormat {
    let drawn = pixelFormat == .mjpeg ? .yuyv : pixelFormat
    return VideoFormat(
      widthPixels: widthPixels, heightPixels: heightPixels, pixelFormat: drawn,
      bytesPerRow: UInt32(widthPixels) * (drawn == .yuyv ? 2 : 1), frameRate: frameRate, colorRange: .limited)
  }
}
