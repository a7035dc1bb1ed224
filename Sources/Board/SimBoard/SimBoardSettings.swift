import Posix
import Text
import Values

/// What the simulated camera's pictures show.
package enum SimPictures: UInt8, Sendable {
  /// A test picture for programs and people.
  case scene
  /// What costs next to nothing: JPEGs that hold a number and no picture, and raw pictures that are all the same.
  case numbers
}

/// What the simulated board is made of.
package struct SimBoardSettings: PosixSettings, Sendable {
  /// Picks the noise of the microphone and accelerometer and the bounce of the buttons.
  package var seed: UInt64 = 0
  /// What goes wrong, and when: nothing.
  package var faults = FaultPlan()
  /// Whether sleeping takes time.
  package var timeMode = SimTimeMode.virtual
  /// The one format that the microphone offers.
  package var audioFormat = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  /// What there is to see in the pictures.
  package var pictures = SimPictures.scene
  /// The width of the one size that the camera offers: an even number, 160 or more for a scene.
  package var widthPixels: UInt16 = 640
  /// Its height: an even number, 120 or more for a scene.
  package var heightPixels: UInt16 = 480
  /// The one frame rate that the camera offers; 30000/1001 is one, too.
  package var frameRate = FrameRate(frames: 30)
  /// The one layout that the camera offers. MJPEG is coded by whoever fetches a picture, as it is fetched.
  package var pixelFormat = PixelFormat.yuv420
  /// Whether the camera's JPEGs have their Huffman tables, which many cameras leave out.
  package var hasHuffmanTables = true
  /// 1…8, as drivers have.
  package var cameraBufferCount = 6
  /// How many buffers at most the camera has for pictures that others make; at most 8 with those that it fills.
  package var spareCameraBufferCount = 0
  /// How much too fast the microphone's crystal runs, -1,000…1,000.
  package var microphonePartsPerMillion: Int32 = 0
  /// How much too fast the camera's crystal runs, -1,000…1,000.
  package var cameraPartsPerMillion: Int32 = 0
  /// How much too fast the speaker's crystal runs, -1,000…1,000.
  package var speakerPartsPerMillion: Int32 = 0
  /// Where what the speaker sounds is written, relative to the data folder or absolute; nil: nowhere.
  package var speakerFileName: FixedText<64>?
  /// The display of the live view; nil for none.
  package var displayName: FixedText<64>?
  /// How the picture goes onto the display: `fit` or `fill`.
  package var displayScaling: Framing = .fit
  /// `standing` or `built-in`.
  package var displayMounting: Mounting = .standing
  /// Where the storage worker's files go.
  package var dataFolder: FixedText<128> = "data"

  /// A complete board at the defaults above, on a virtual clock.
  package init() {}
}

extension SimBoardSettings {
  /// Whether the pictures can show what they are to show.
  var canDraw: Bool {
    (pictures == .numbers || widthPixels >= 160 && heightPixels >= 120) && (widthPixels | heightPixels) & 1 == 0
  }

  /// Whether the camera makes JPEGs of what it draws.
  var codesPictures: Bool { pixelFormat == .mjpeg && pictures == .scene && canDraw }

  /// What the camera delivers.
  var pictureFormat: VideoFormat {
    guard pixelFormat == .mjpeg else { return drawnFormat }
    return VideoFormat(
      widthPixels: widthPixels, heightPixels: heightPixels, pixelFormat: .mjpeg, bytesPerRow: 0, frameRate: frameRate)
  }

  /// What it draws: 4:2:2 for JPEGs, as most cameras do that code.
  var drawnFormat: VideoFormat {
    let drawn = pixelFormat == .mjpeg ? .yuyv : pixelFormat
    return VideoFormat(
      widthPixels: widthPixels, heightPixels: heightPixels, pixelFormat: drawn,
      bytesPerRow: UInt32(widthPixels) * (drawn == .yuyv ? 2 : 1), frameRate: frameRate, colorRange: .limited)
  }
}
