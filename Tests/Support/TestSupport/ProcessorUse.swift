import Foundation

/// The processor time of a process since its start, as counted by Linux.
package struct ProcessorUse: Sendable {
  /// Seconds used by all its threads together.
  package let seconds: Double
  /// Total time for which its threads were ready to run while another thread had the processor.
  package let waitedSeconds: Double

  /// The use of a running process.
  package init(ofProcess number: Int32) throws {
    let folder = "/proc/\(number)/task"
    var ran: UInt64 = 0
    var waited: UInt64 = 0
    for task in try FileManager.default.contentsOfDirectory(atPath: folder) {
      // Nanoseconds running and waiting (Documentation/scheduler/sched-stats.rst).
      let line = try String(contentsOfFile: "\(folder)/\(task)/schedstat", encoding: .utf8)
      let fields = line.split(separator: " ").compactMap { UInt64($0) }
      guard fields.count >= 2 else { throw CocoaError(.fileReadCorruptFile) }
      ran += fields[0]
      waited += fields[1]
    }
    seconds = Double(ran) / 1e9
    waitedSeconds = Double(waited) / 1e9
  }

  /// The use between two instants.
  package static func - (end: ProcessorUse, start: ProcessorUse) -> ProcessorUse {
    ProcessorUse(seconds: end.seconds - start.seconds, waitedSeconds: end.waitedSeconds - start.waitedSeconds)
  }

  private init(seconds: Double, waitedSeconds: Double) {
    self.seconds = seconds
    self.waitedSeconds = waitedSeconds
  }
}
