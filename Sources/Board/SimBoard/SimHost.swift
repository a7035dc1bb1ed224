import Port
import Posix
import Rings
import Text
import Values

/// What the simulated board has of the machine that it runs on: a console, files and processes.
public protocol SimHost: ~Copyable {
  associatedtype BoardConsoleLine: ConsoleLine & ~Copyable
  associatedtype BoardStorage: Storage & ~Copyable
  associatedtype BoardMediaFolders: MediaFolders & ~Copyable
  associatedtype BoardDecoder: Decoder & ~Copyable
  associatedtype BoardVideoEncoder: VideoEncoder & ~Copyable
  associatedtype BoardView: View & ~Copyable

  /// As ``Hardware/openStorage()``, and so on: the board adds the faults.
  func openStorage() throws(DeviceFailure) -> BoardStorage
  func openMediaFolders() throws(DeviceFailure) -> BoardMediaFolders
  func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> BoardDecoder
  func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> BoardVideoEncoder
  func openView(_ setup: ViewSetup) throws(DeviceFailure) -> BoardView
}

/// The machine itself: its file system, and the recorder's own programs.
public struct SimSystem<BoardConsoleLine: ConsoleLine & ~Copyable>: SimHost {
  private let settings: SimBoardSettings

  /// With the data folder and the display of the settings.
  public init(_ settings: SimBoardSettings) { self.settings = settings }

  /// The settings' data folder, on the real file system.
  public func openStorage() throws(DeviceFailure) -> FolderStorage {
    try FolderStorage(folder: settings.dataFolder)
  }

  /// The data folder of ``openStorage()``.
  public func openMediaFolders() throws(DeviceFailure) -> PosixMediaFolders {
    try PosixMediaFolders(dataFolder: settings.dataFolder)
  }

  /// A real process; on a virtual clock its answers are waited for.
  public func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> DecoderProcess {
    try DecoderProcess(
      dataFolder: settings.dataFolder, ringByteCount: setup.ringByteCount, format: setup.format,
      isInStep: settings.timeMode == .virtual)
  }

  /// None.
  public func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> AbsentVideoEncoder {
    throw .noVideoEncoder(request)
  }

  /// A real process on a real display, where the settings name one.
  public func openView(_ setup: ViewSetup) throws(DeviceFailure) -> ViewProcess {
    try ViewProcess(
      display: settings.displayName, scaling: settings.displayScaling,
      mounting: settings.displayMounting, setup: setup)
  }
}
