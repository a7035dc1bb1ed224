/// The live view on a display: a process beside the recorder that reads what the recorder writes, and nothing more. It
/// can fall, freeze or talk nonsense at any moment, and nothing but the display goes dark.
///
/// Its calls are made only on the thread of the worker that owns it.
public protocol View: ~Copyable {
  /// What the process can read, and nobody but the recorder can write: zeroed, page-aligned, mapped for the life of the
  /// recorder.
  var memory: UnsafeMutableRawBufferPointer { get }

  /// Whether there is a display to show anything on.
  var isWanted: Bool { get }

  /// Starts a process; one that runs is ended first.
  /// - Throws: when the program is missing, or the system gives no process.
  mutating func start() throws(DeviceFailure)

  /// Ends the process. Nothing happens when none runs.
  mutating func stop()

  /// What the process has said, or that it has ended. Never waits for it.
  mutating func receive() -> ViewWord
}
