import Base

/// Opens the files, processes and displays beside the devices. On every machine they are the system's.
package protocol HostDriver {
  /// The data folder, for the storage worker's thread.
  func openStorage() throws(DeviceFailure) -> HostStorage

  /// The folder with the second copy of the device's identity, for the storage worker's thread; nil for none.
  func openIdentityCopy() throws(DeviceFailure) -> IdentityFolder<HostStorage>?

  /// The data folder once more, for the thread of another worker.
  func openFolder(for use: FolderUse) throws(DeviceFailure) -> HostStorage

  /// A decoder whose process is not started yet, for the thread of the worker that is to own it.
  func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> Decoder

  /// The machine's own encoder, for the thread of the worker that is to own it.
  func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> VideoEncoder

  /// The live view, its memory mapped and its process not started yet, for the thread of the worker that is to own it.
  func openView(_ setup: ViewSetup) throws(DeviceFailure) -> View
}

/// The folder with the second copy of the device's identity.
package struct IdentityFolder<Folder: ~Copyable>: ~Copyable {
  package var storage: Folder
  package let path: FixedText<128>
  /// Whether another recorder that is running uses it.
  package let isInUse: Bool

  package init(_ storage: consuming Folder, path: FixedText<128>, isInUse: Bool = false) {
    self.storage = storage
    self.path = path
    self.isInUse = isInUse
  }

  /// Hands the folder over.
  package consuming func takeStorage() -> Folder { storage }
}

/// Where files and displays are.
package struct HostSettings: Sendable {
  /// The data folder; made when it is missing.
  package var dataFolder: FixedText<128> = "data"
  /// Where recording goes on when the data folder fails; nil for nowhere.
  package var fallbackFolder: FixedText<64>?
  /// Where a second copy of the device's identity is kept; nil for nowhere.
  package var identityFolder: FixedText<128>?
  /// Whether other recorders on this machine may use that folder, too.
  package var sharesIdentityFolder = false
  /// The path of the fetching service's socket; nil for none.
  package var streamService: FixedText<64>?
  /// The display of the live view, such as `/dev/dri/card0`; nil for none.
  package var displayName: FixedText<64>?
  /// How the picture is scaled to the display.
  package var displayScaling: Framing = .fit
  /// How the display is mounted.
  package var displayMounting: Mounting = .standing
  /// A file whose letters come before the display's usual ones; nil for none.
  package var displayFont: FixedText<64>?
  /// The socket of `fieldcorder-monitor`; nil for none.
  package var monitorSocket: FixedText<64>?
  /// Whether the decoder's answers may be waited for, as ``DecoderDriver/isInStep``.
  package var decodesInStep = false
  /// Whether the machine may have a video encoder of its own.
  package var mayHaveEncoder = true

  package init() {}
}

// Where a test puts something of its own in place of the system's files, processes and terminal. In the firmware each
// name is one type; in the tests it is a box for any type of its kind.
#if hasFeature(Embedded)
  package typealias HostFile = PosixFile
  package typealias HostStorage = FolderStorage
  package typealias HostTerminal = TerminalLine
  package typealias Host = SystemHost
  package typealias Decoder = DecoderProcess
  package typealias VideoEncoder = V4L2Encoder
  package typealias View = ViewProcess
#else
  package typealias HostFile = any StorageFile & ~Copyable
  package typealias HostStorage = any StorageDriver & ~Copyable
  package typealias HostTerminal = any ConsoleLineDriver & ~Copyable
  package typealias Host = any HostDriver
  package typealias Decoder = any DecoderDriver & ~Copyable
  package typealias VideoEncoder = any VideoEncoderDriver & ~Copyable
  package typealias View = any ViewDriver & ~Copyable
#endif
