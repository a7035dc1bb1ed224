import Base
import Wire

/// Those who see and hear what is recorded: a process beside the recorder that shows it on a display, and a service of
/// this machine that sends it over a network. Both only read what the recorder writes. They may crash, freeze or send
/// nonsense: only who watches or listens suffers. So may the service that is asked who else serves sound there.
///
/// Its calls are made only on the thread of the worker that owns it.
package protocol ViewDriver: ~Copyable {
  /// What the process can read, and nobody but the recorder can write: zeroed, page-aligned, mapped for the life of the
  /// recorder.
  var memory: UnsafeMutableRawBufferPointer { get }

  /// Whether there is a display to show anything on.
  var isWanted: Bool { get }

  /// How long it may be left alone.
  var patienceNanoseconds: UInt64 { get }

  /// Starts a process; one that runs is ended first.
  /// - Throws: when the program is missing, or the system gives no process.
  mutating func start() throws(DeviceFailure)

  /// Ends the process. Does nothing when none runs.
  mutating func stop()

  /// What the process has sent, or that it has ended. Never waits.
  mutating func receive() -> ViewEvent

  /// What the service that sends over a network has said, or that it is gone. It is given the memory to read as soon as
  /// it can be reached. Never waits.
  mutating func hearMonitor(at now: Instant) -> MonitorEvent

  /// Has the service that has a network look for servers there. A search that is under way ends.
  /// - Throws: when it cannot be asked.
  mutating func search(_ order: SearchOrder) throws(SearchProblem)

  /// What the search has found, or that it has ended; nil when there is nothing new. Waits only on a virtual clock.
  mutating func nextSearchEvent() -> SearchEvent?

  /// Ends the search. Does nothing when there is none.
  mutating func endSearch()
}

/// What a live view is to show.
package struct ViewSetup: BitwiseCopyable, Equatable, Sendable {
  /// Bytes of the memory that it shares with the recorder.
  package var byteCount: Int
  /// The camera's width; 0 without a camera.
  package var widthPixels: UInt16
  /// The camera's height; 0 without a camera.
  package var heightPixels: UInt16

  package init(byteCount: Int, widthPixels: UInt16, heightPixels: UInt16) {
    self.byteCount = byteCount
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
  }
}

/// An event of the service that sends over a network.
package enum MonitorEvent: BitwiseCopyable, Sendable {
  /// No event, or no such service.
  case nothing
  case message(MonitorMessage)
  /// It is gone.
  case ended
}

/// An event of a ``View``'s process.
package enum ViewEvent: BitwiseCopyable, Sendable {
  /// No event.
  case nothing
  /// A line for the person at the console, such as `display /dev/dri/card0: 1920 x 1080`.
  case line(FixedText<256>)
  /// No process runs any more: how the last one ended, as the end of a sentence: `ended by signal 9`.
  case ended(FixedText<64>)
}
