import Foundation

/// What a process has had of the machine's processors since its start, as Linux counts it.
public struct ProcessorUse: Sendable {
  /// Of all its threads.
  public let seconds: Double
  /// For how long its threads together could have run, and another thread had the processor.
  public let waitedSeconds: Double

  /// Of a process that runs.
  public init(ofProcess number: Int32) throws {
    let folder = "/proc/\(number)/task"
    var ran: UInt64 = 0
    var waited: UInt64 = 0
    for task in try FileManager.default.contentsOfDirectory(atPath: folder) {
      // Nanoseconds that it ran, and that it waited (Documentation/scheduler/sched-stats.rst).
      let line = try String(contentsOfFile: "\(folder)/\(task)/schedstat", encoding: .utf8)
      let fields = line.split(separator: " ").compactMap { UInt64($0) }
      guard fields.count >= 2 else { throw CocoaError(.fileReadCorruptFile) }
      ran += fields[0]
      waited += fields[1]
    }
    seconds = Double(ran) / 1e9
    waitedSeconds = Double(waited) / 1e9
  }

  /// What was used between two instants.
  public static func - (end: ProcessorUse, start: ProcessorUse) -> ProcessorUse {
    ProcessorUse(seconds: end.seconds - start.seconds, waitedSeconds: end.waitedSeconds - start.waitedSeconds)
  }

  private init(seconds: Double, waitedSeconds: Double) {
    self.seconds = seconds
    self.waitedSeconds = waitedSeconds
  }
}
