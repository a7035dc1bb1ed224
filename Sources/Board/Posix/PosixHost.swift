import Port
import Text
import Values

/// The operating system's files and processes, as a board uses them.
public protocol PosixHost: ~Copyable {
  associatedtype Settings: PosixSettings
  /// Where files and display are.
  var settings: Settings { get }
  /// Whether the decoder's answers may be waited for, as ``Decoder/isInStep``.
  var decodesInStep: Bool { get }
}

/// Where a board keeps its files and shows its live view.
public protocol PosixSettings {
  /// The data folder; made when it is missing.
  var dataFolder: FixedText<128> { get }
  /// Where recording goes on when the data folder fails; nil for nowhere.
  var fallbackFolder: FixedText<64>? { get }
  /// Where a second copy of the device's identity is kept; nil for nowhere.
  var identityFolder: FixedText<64>? { get }
  /// The path of the fetching service's socket; nil for none.
  var streamService: FixedText<64>? { get }
  /// The display of the live view, such as `/dev/dri/card0`; nil for none.
  var displayName: FixedText<64>? { get }
  /// How the picture is scaled to the display: `fit` or `fill`.
  var displayScaling: Framing { get }
  /// `standing` or `built-in`.
  var displayMounting: Mounting { get }
  /// The socket of `fieldcorder-monitor`; nil for none.
  var monitorSocket: FixedText<64>? { get }
}

extension PosixHost where Self: ~Copyable {
  /// Makes the data folder when it is missing, and locks it.
  public func openStorage() throws(DeviceFailure) -> FolderStorage {
    var storage = try FolderStorage(folder: settings.dataFolder, fallbackFolder: settings.fallbackFolder)
    try storage.lock(settings.dataFolder)
    return storage
  }

  /// Makes the folder when it is missing.
  public func openIdentityCopy() throws(DeviceFailure) -> FolderStorage? {
    guard let folder = settings.identityFolder else { return nil }
    return try FolderStorage(folder: FixedText(folder.bytes))
  }

  /// The data folder of ``openStorage()``.
  public func openMediaFolders() throws(DeviceFailure) -> PosixMediaFolders {
    try PosixMediaFolders(dataFolder: settings.dataFolder)
  }

  /// The data folder of ``openStorage()``.
  public func openDayFolders() throws(DeviceFailure) -> PosixDayFolders {
    try PosixDayFolders(dataFolder: settings.dataFolder)
  }

  /// The data folder of ``openStorage()``, which has locked it.
  public func openNotes() throws(DeviceFailure) -> FolderStorage { try FolderStorage(folder: settings.dataFolder) }

  /// `fieldcorder-decode` beside this program.
  public func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> DecoderProcess {
    try DecoderProcess(
      dataFolder: settings.dataFolder, ringByteCount: setup.ringByteCount, format: setup.format,
      isInStep: decodesInStep, isProber: setup.isProber, streamService: setup.isProber ? nil : settings.streamService)
  }

  /// `fieldcorder-view` beside this program, where the settings name a display, and the links to `fieldcorder-monitor`
  /// and the fetching service.
  public func openView(_ setup: ViewSetup) throws(DeviceFailure) -> ViewProcess {
    try ViewProcess(
      display: settings.displayName, scaling: settings.displayScaling, mounting: settings.displayMounting,
      monitorSocket: settings.monitorSocket, streamService: settings.streamService, isInStep: decodesInStep,
      setup: setup)
  }
}
