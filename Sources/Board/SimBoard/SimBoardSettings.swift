import Posix
import Values
import Text

/// What the simulated board is made of.
public struct SimBoardSettings: PosixSettings, Sendable {
  /// Picks the noise of the microphone and accelerometer and the bounce of the buttons.
  public var seed: UInt64 = 0
  /// Whether sleeping takes time.
  public var timeMode = SimTimeMode.virtual
  /// The one format that the microphone offers.
  public var audioFormat = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  /// The width of the one size that the camera offers: an even number, 160 or more.
  public var widthPixels: UInt16 = 640
  /// Its height: an even number, 120 or more.
  public var heightPixels: UInt16 = 480
  /// The one frame rate that the camera offers; 30000/1001 is one, too.
  public var frameRate = FrameRate(frames: 30)
  /// The one layout that the camera offers. MJPEG is coded by whoever fetches a picture, as it is fetched.
  public var pixelFormat = PixelFormat.yuv420
  /// Whether the camera's JPEGs have their Huffman tables, which many cameras leave out.
  public var hasHuffmanTables = true
  /// 1…8, as drivers have.
  public var cameraBufferCount = 6
  /// How much too fast the microphone's crystal runs, -1,000…1,000.
  public var microphonePartsPerMillion: Int32 = 0
  /// How much too fast the camera's crystal runs, -1,000…1,000.
  public var cameraPartsPerMillion: Int32 = 0
  /// How much too fast the speaker's crystal runs, -1,000…1,000.
  public var speakerPartsPerMillion: Int32 = 0
  /// Where what the speaker sounds is written, relative to the data folder or absolute; nil: nowhere.
  public var speakerFileName: FixedText<64>?
  /// Without it, opening the camera fails.
  public var hasCamera = true
  /// Without it, opening the microphone fails.
  public var hasMicrophone = true
  /// Without it, opening the speaker fails until one is plugged in.
  public var hasSpeaker = true
  /// Without it, opening the accelerometer fails.
  public var hasAccelerometer = true
  /// The display of the live view; nil for none.
  public var displayName: FixedText<64>?
  /// How the picture goes onto the display: `fit` or `fill`.
  public var displayScaling: Framing = .fit
  /// `standing` or `built-in`.
  public var displayMounting: Mounting = .standing
  /// Where the storage worker's files go.
  public var dataFolder: FixedText<128> = "data"

  /// A complete board at the defaults above, on a virtual clock.
  public init() {}
}
