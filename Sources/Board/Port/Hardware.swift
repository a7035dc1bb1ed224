import Rings
import Text

/// The port: everything that the appliance needs from its machine. `LinuxBoard` and `SimBoard` provide it; the
/// appliance is generic over it, so that the simulator runs the production code.
///
/// ``Storage``, ``MediaFolders``, ``DayFolders``, ``Decoder``, ``VideoEncoder`` and ``View`` belong to the threads of their
/// workers. What is a ``SharedDevice`` belongs to the main loop's thread or to its worker's. All else belongs to the
/// loop, and its calls never block.
public protocol Hardware: ~Copyable {
  associatedtype BoardClock: Clock & ~Copyable
  associatedtype BoardButtons: Buttons & ~Copyable
  associatedtype BoardAccelerometer: Accelerometer & ~Copyable
  associatedtype BoardThermometer: Thermometer & ~Copyable
  associatedtype BoardTimeService: TimeService & ~Copyable
  associatedtype BoardMicrophone: Microphone & ~Copyable
  associatedtype BoardSpeaker: Speaker & ~Copyable
  associatedtype BoardCamera: Camera & ~Copyable
  associatedtype BoardVideoEncoder: VideoEncoder & ~Copyable
  associatedtype BoardIndicators: Indicators & ~Copyable
  associatedtype BoardConsoleLine: ConsoleLine & ~Copyable
  associatedtype BoardStorage: Storage & ~Copyable
  associatedtype BoardMediaFolders: MediaFolders & ~Copyable
  associatedtype BoardDayFolders: DayFolders & ~Copyable
  associatedtype BoardDecoder: Decoder & ~Copyable
  associatedtype BoardView: View & ~Copyable
  associatedtype BoardInspector: Inspector & ~Copyable

  /// The clock of all instants.
  var clock: BoardClock { get set }
  /// The buttons on the case.
  var buttons: SharedDevice<BoardButtons> { get set }
  /// How the device is held.
  var accelerometer: SharedDevice<BoardAccelerometer> { get set }
  /// How hot the processor is.
  var thermometer: SharedDevice<BoardThermometer> { get set }
  /// What sets the clock.
  var timeService: SharedDevice<BoardTimeService> { get set }
  /// The sound card's capture side.
  var microphone: SharedDevice<BoardMicrophone> { get set }
  /// The sound card's playback side.
  var speaker: SharedDevice<BoardSpeaker> { get set }
  /// The one camera.
  var camera: SharedDevice<BoardCamera> { get set }
  /// What zooms the camera.
  var lens: SharedDevice<CameraLens<BoardCamera.Zooming>> { get set }
  /// What tells a person of the system.
  var inspector: SharedDevice<BoardInspector> { get set }
  /// The LEDs.
  var indicators: BoardIndicators { get set }
  /// The bytes to and from a person.
  var consoleLine: BoardConsoleLine { get set }

  /// What the board's firmware says is its serial number; empty if it has none.
  var serialNumber: FixedText<64> { get }

  /// Whether the console may press buttons and tilt the device.
  var allowsInjection: Bool { get }

  /// Whether a call of the storage would wait now. On a virtual clock, where all take turns on one thread, the storage
  /// worker and the retention worker are then skipped.
  var isStorageStalled: Bool { get }

  /// Whether opening or setting a device would wait now. On a virtual clock the device's worker is then skipped.
  func isSlow(_ device: Device) -> Bool

  /// The data folder, for the storage worker's thread.
  func openStorage() throws(DeviceFailure) -> BoardStorage

  /// The folder with the second copy of the device's identity, for the storage worker's thread; nil for none.
  func openIdentityCopy() throws(DeviceFailure) -> BoardStorage?

  /// The data folder as the library sees it, for the library worker's thread.
  func openMediaFolders() throws(DeviceFailure) -> BoardMediaFolders

  /// The data folder as retention sees it, for the retention worker's thread.
  func openDayFolders() throws(DeviceFailure) -> BoardDayFolders

  /// The data folder once more, for the retention worker's thread, which keeps the small applications' files there.
  func openNotes() throws(DeviceFailure) -> BoardStorage

  /// A decoder whose process is not started yet, for the thread of the worker that is to own it.
  func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> BoardDecoder

  /// The machine's own encoder, for the thread of the worker that is to own it.
  func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> BoardVideoEncoder

  /// The live view, its memory mapped and its process not started yet, for the thread of the worker that is to own it.
  func openView(_ setup: ViewSetup) throws(DeviceFailure) -> BoardView
}

extension Hardware where Self: ~Copyable {
  /// None.
  public var serialNumber: FixedText<64> { "" }

  /// Never: a call waits as long as it has to.
  public var isStorageStalled: Bool { false }

  /// Never: a device's worker waits as long as it has to.
  public func isSlow(_ device: Device) -> Bool { false }
}
