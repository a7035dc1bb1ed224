import Media
import Text

/// What the simulated board is made of.
public struct SimBoardSettings: Sendable {
  /// Picks the noise of the microphone and accelerometer and the bounce of the buttons.
  public var seed: UInt64 = 0
  public var timeMode = SimTimeMode.virtual
  /// The one format that the microphone offers.
  public var audioFormat = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
  /// The one size that the camera offers: even numbers, 160 × 120 or more.
  public var widthPixels: UInt16 = 640
  public var heightPixels: UInt16 = 480
  public var frameRate = FrameRate(frames: 30)
  /// The one layout that the camera offers: not MJPEG.
  public var pixelFormat = PixelFormat.yuv420
  /// 1…8, as drivers have.
  public var cameraBufferCount = 6
  /// How much too fast each device's crystal runs, -1000…1000.
  public var microphonePartsPerMillion: Int32 = 0
  public var cameraPartsPerMillion: Int32 = 0
  public var hasCamera = true
  public var hasMicrophone = true
  public var hasAccelerometer = true
  /// Where the storage worker's files go.
  public var dataFolder: FixedText<128> = "data"

  public init() {}
}
