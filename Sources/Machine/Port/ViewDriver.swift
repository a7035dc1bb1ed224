import Base
import Wire

/// The consumers of what is recorded: a process beside the recorder that shows it on a display, and a service on this
/// machine that sends it over a network. Both only read the recorder's memory. If they crash, freeze or send nonsense,
/// only viewers and listeners are affected. The same holds for the service that looks for other sound servers on the
/// network.
///
/// All calls are made on the thread of the worker that owns it.
package protocol ViewDriver: ~Copyable {
  /// Memory that the process can read and only the recorder can write: zeroed, page-aligned, mapped for the life of the
  /// recorder.
  var memory: UnsafeMutableRawBufferPointer { get }

  /// Whether there is a display to show anything on.
  var isWanted: Bool { get }

  /// How long the worker may sleep before it polls again.
  var patienceNanoseconds: UInt64 { get }

  /// Starts a process, after ending one that is running.
  /// - Throws: if the program is missing, or the system cannot start a process.
  mutating func start() throws(DeviceFailure)

  /// Ends the process. Does nothing if none runs.
  mutating func stop()

  /// The next message from the process, or the news that it has ended. Never blocks.
  mutating func receive() -> ViewEvent

  /// The next message from the service that sends over a network, or the news that it has gone. The service is given
  /// the memory to read as soon as it can be reached. Never blocks.
  mutating func hearMonitor(at now: Instant) -> MonitorEvent

  /// Asks the service that has network access to look for servers. Ends a search in progress.
  /// - Throws: if the service cannot be asked.
  mutating func search(_ order: SearchOrder) throws(SearchProblem)

  /// The next result of the search, or its end; nil if there is nothing new. Blocks only on a virtual clock.
  mutating func nextSearchEvent() -> SearchEvent?

  /// Ends the search. Does nothing if there is none.
  mutating func endSearch()
}

/// What a live view needs to know to start.
package struct ViewSetup: BitwiseCopyable, Equatable, Sendable {
  /// The size of the memory that it shares with the recorder.
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

/// An event from the service that sends over a network.
package enum MonitorEvent: BitwiseCopyable, Sendable {
  /// No event, or no such service.
  case nothing
  case message(MonitorMessage)
  /// The service has gone.
  case ended
}

/// An event of a ``View``'s process.
package enum ViewEvent: BitwiseCopyable, Sendable {
  /// No event.
  case nothing
  /// A line for the person at the console, such as `display /dev/dri/card0: 1920 x 1080`.
  case line(FixedText<256>)
  /// The process has ended; the text says how, as the end of a sentence: `ended by signal 9`.
  case ended(FixedText<64>)
}
