import Base

/// The operating system's files and processes.
package struct SystemHost: HostDriver {
  private let settings: HostSettings

  package init(_ settings: HostSettings) { self.settings = settings }

  /// Makes the data folder when it is missing, and locks it.
  package func openStorage() throws(DeviceFailure) -> HostStorage {
    var storage = try FolderStorage(folder: settings.dataFolder, fallbackFolder: settings.fallbackFolder)
    try storage.lock(settings.dataFolder)
    return storage
  }

  /// Makes the folder when it is missing.
  package func openIdentityCopy() throws(DeviceFailure) -> HostStorage? {
    guard let folder = settings.identityFolder else { return nil }
    return try FolderStorage(folder: FixedText(folder.bytes))
  }

  /// Does not lock the folder: ``openStorage()`` has.
  package func openFolder(for use: FolderUse) throws(DeviceFailure) -> HostStorage {
    try FolderStorage(folder: settings.dataFolder, for: use)
  }

  /// `fieldcorder-decode` beside this program.
  package func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> Decoder {
    try DecoderProcess(
      dataFolder: settings.dataFolder, ringByteCount: setup.ringByteCount, format: setup.format,
      isInStep: settings.decodesInStep, isProber: setup.isProber,
      streamService: setup.isProber ? nil : settings.streamService)
  }

  package func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> VideoEncoder {
    guard settings.mayHaveEncoder else { throw .noVideoEncoder(request) }
    return try V4L2Encoder(request)
  }

  /// `fieldcorder-view` beside this program, where the settings name a display, and the links to `fieldcorder-monitor`
  /// and the fetching service.
  package func openView(_ setup: ViewSetup) throws(DeviceFailure) -> View {
    try ViewProcess(
      display: settings.displayName, scaling: settings.displayScaling, mounting: settings.displayMounting,
      monitorSocket: settings.monitorSocket, streamService: settings.streamService,
      isInStep: settings.decodesInStep, setup: setup)
  }
}
