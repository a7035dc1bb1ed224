import Base

/// Opens the files, processes and displays beside the devices. On every machine they are the system's own.
package protocol HostDriver {
  /// The data folder, for the storage worker's thread.
  func openStorage() throws(DeviceFailure) -> HostStorage

  /// Creates the fallback folder if there is to be one and it is missing.
  /// - Throws: if it cannot be created or written to.
  func checkFallback() throws(DeviceFailure)

  /// The folder with the second copy of the device's identity, for the storage worker's thread; nil if there is none.
  func openIdentityCopy() throws(DeviceFailure) -> IdentityFolder<HostStorage>?

  /// Opens the data folder again, for the thread of another worker.
  func openFolder(for use: FolderUse) throws(DeviceFailure) -> HostStorage

  /// A decoder, its process not yet started, for the thread of the worker that will own it.
  func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> Decoder

  /// The machine's own encoder, for the thread of the worker that will own it.
  func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> VideoEncoder

  /// The live view, its memory mapped and its process not yet started, for the thread of the worker that will own it.
  func openView(_ setup: ViewSetup) throws(DeviceFailure) -> View
}

/// The folder with the second copy of the device's identity.
package struct IdentityFolder<Folder: ~Copyable>: ~Copyable {
  package var storage: Folder
  package let path: FixedText<128>
  /// Whether another running recorder uses it.
  package let isInUse: Bool

  package init(_ storage: consuming Folder, path: FixedText<128>, isInUse: Bool = false) {
    self.storage = storage
    self.path = path
    self.isInUse = isInUse
  }

  package consuming func takeStorage() -> Folder { storage }
}

/// Where files and displays are.
package struct HostSettings: Sendable {
  /// The data folder; created if it is missing.
  package var dataFolder: FixedText<128> = "data"
  /// Where recording continues if the data folder fails; nil if nowhere.
  package var fallbackFolder: FixedText<64>?
  /// Where a second copy of the device's identity is kept; nil if nowhere.
  package var identityFolder: FixedText<128>?
  /// Whether other recorders on this machine may use that folder, too.
  package var sharesIdentityFolder = false
  /// The path of the fetching service's socket; nil if there is none.
  package var streamService: FixedText<64>?
  /// The display of the live view, such as `/dev/dri/card0`; nil if there is none.
  package var displayName: FixedText<64>?
  /// How the picture is scaled to the display.
  package var displayScaling: Framing = .fit
  /// How the display is mounted.
  package var displayMounting: Mounting = .standing
  /// A font file whose glyphs take precedence over the display's built-in ones; nil if there is none.
  package var displayFont: FixedText<64>?
  /// The socket of `fieldcorder-monitor`; nil if there is none.
  package var monitorSocket: FixedText<64>?
  /// Where updates are handed over; nil if the machine does not run the card's image.
  package var updates: UpdateFolders?
  /// Whether the caller may block for the decoder's answers, as ``DecoderDriver/isInStep``.
  package var decodesInStep = false
  /// Whether the machine may have a video encoder of its own.
  package var mayHaveEncoder = true

  package init() {}
}

// Lets a test replace the system's files, processes and terminal. In the firmware each name is one type; in the tests
// it is a box for any type of its kind.
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
