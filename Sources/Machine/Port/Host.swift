import Base

/// Opens the files, processes and displays beside the devices. On every machine they are the system's.
package protocol HostDriver {
  /// The data folder, for the storage worker's thread.
  func openStorage() throws(DeviceFailure) -> HostStorage

  /// The folder with the second copy of the device's identity, for the storage worker's thread; nil for none.
  func openIdentityCopy() throws(DeviceFailure) -> HostStorage?

  /// The data folder once more, for the thread of another worker.
  func openFolder(for use: FolderUse) throws(DeviceFailure) -> HostStorage

  /// A decoder whose process is not started yet, for the thread of the worker that is to own it.
  func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> Decoder

  /// The machine's own encoder, for the thread of the worker that is to own it.
  func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> VideoEncoder

  /// The live view, its memory mapped and its process not started yet, for the thread of the worker that is to own it.
  func openView(_ setup: ViewSetup) throws(DeviceFailure) -> View
}

/// Where files and displays are.
package struct HostSettings: Sendable {
  /// The data folder; made when it is missing.
  package var dataFolder: FixedText<128> = "data"
  /// Where recording goes on when the data folder fails; nil for nowhere.
  package var fallbackFolder: FixedText<64>?
  /// Where a second copy of the device's identity is kept; nil for nowhere.
  package var identityFolder: FixedText<64>?
  /// The path of the fetching service's socket; nil for none.
  package var streamService: FixedText<64>?
  /// The display of the live view, such as `/dev/dri/card0`; nil for none.
  package var displayName: FixedText<64>?
  /// How the picture is scaled to the display.
  package var displayScaling: Framing = .fit
  /// How the display is mounted.
  package var displayMounting: Mounting = .standing
  /// The socket of `fieldcorder-monitor`; nil for none.
  package var monitorSocket: FixedText<64>?
  /// Whether the decoder's answers may be waited for, as ``DecoderDriver/isInStep``.
  package var decodesInStep = false
  /// Whether the machine may have a video encoder of its own.
  package var mayHaveEncoder = true

  package init() {}
}
