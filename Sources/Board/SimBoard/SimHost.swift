import Port
import Posix
import Rings
import Text
import Values

/// What the simulated board uses of the machine on which it runs: a console, files and processes.
package protocol SimHost: ~Copyable {
  associatedtype BoardConsoleLine: ConsoleLine & ~Copyable
  associatedtype BoardStorage: Storage & ~Copyable
  associatedtype BoardMediaFolders: MediaFolders & ~Copyable
  associatedtype BoardDayFolders: DayFolders & ~Copyable
  associatedtype BoardDecoder: Decoder & ~Copyable
  associatedtype BoardVideoEncoder: VideoEncoder & ~Copyable
  associatedtype BoardView: View & ~Copyable

  /// As ``Hardware/openStorage()`` and the methods below; the board adds the faults.
  func openStorage() throws(DeviceFailure) -> BoardStorage
  func openIdentityCopy() throws(DeviceFailure) -> BoardStorage?
  func openMediaFolders() throws(DeviceFailure) -> BoardMediaFolders
  func openDayFolders() throws(DeviceFailure) -> BoardDayFolders
  func openNotes() throws(DeviceFailure) -> BoardStorage
  func openDecoder(_ setup: DecoderSetup) throws(DeviceFailure) -> BoardDecoder
  func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> BoardVideoEncoder
  func openView(_ setup: ViewSetup) throws(DeviceFailure) -> BoardView
}

/// The machine itself: its file system, and the recorder's own programs.
package struct SimSystem<BoardConsoleLine: ConsoleLine & ~Copyable>: SimHost, PosixHost {
  /// Only the data folder and the display are used.
  package let settings: SimBoardSettings
  /// On a virtual clock the program waits for the decoder's answers.
  package var decodesInStep: Bool { settings.timeMode == .virtual }

  /// A host with the data folder and the display of the settings.
  package init(_ settings: SimBoardSettings) { self.settings = settings }

  package func openVideoEncoder(_ request: VideoEncoderRequest) throws(DeviceFailure) -> AbsentVideoEncoder {
    throw .noVideoEncoder(request)
  }
}
