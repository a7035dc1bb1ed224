import Base
import Machine

/// The files of the history: calculations are appended to the new one; when it holds as many as are kept, it takes the
/// place of the old one. So the newest are always in one of the two, whatever a power cut leaves.
enum HistoryPart: BitwiseCopyable {
  case old, new

  var path: FixedText<128> { self == .old ? "calculations.old" : "calculations" }
}

/// A walk through the calculations of both files, from the oldest on.
struct HistoryScan: BitwiseCopyable {
  private(set) var part = HistoryPart.old
  private(set) var lines = LineScan(HistoryPart.old.path)
  /// The end of the last whole line of the file.
  private(set) var end: UInt64 = 0

  /// Reads the next piece, or goes on to the next file.
  /// - Returns: false at the end.
  mutating func read(
    from storage: inout Storage, into buffer: inout FixedBuffer
  ) throws(DeviceFailure) -> Bool {
    do throws(DeviceFailure) {
      if try lines.read(from: &storage, into: &buffer) { return true }
    } catch {
      guard error.kind == .absent else { throw error }
    }
    guard part == .old else { return false }
    part = .new
    lines = LineScan(part.path)
    end = 0
    return true
  }

  /// The next calculation of the piece; nil after the last. What is not a whole line is skipped.
  mutating func next(in buffer: borrowing FixedBuffer) -> CalculationLine? {
    while let line = lines.next(in: buffer) {
      guard line.isEnded else { continue }
      end = lines.offset
      if let calculation = CheckedLine.calculation(line.text.bytes) { return calculation }
    }
    return nil
  }
}
