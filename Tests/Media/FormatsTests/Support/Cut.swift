import TestSupport

/// A power cut in a file's history: which operations reached the disk.
///
/// Everything before the last synchronisation is kept. Of later operations, a disk that writes in order keeps the first
/// ones and perhaps a part of the next; a disk that reorders writes keeps any of them.
struct Cut: CustomStringConvertible {
  /// The number of requested operations.
  var operationCount: Int
  /// Bytes of the following operation that were written too.
  var tornByteCount = 0
  /// Requested operations that were lost.
  var lost: Set<Int> = []

  var description: String { "cut at \(operationCount), torn at \(tornByteCount), lost \(lost.sorted())" }

  /// The file after the cut.
  func content(_ operations: [FileOperation], from start: [UInt8] = []) -> [UInt8] {
    var content = start
    for index in 0..<operationCount where !lost.contains(index) { operations[index].apply(to: &content) }
    if tornByteCount > 0 { operations[operationCount].apply(to: &content, limit: tornByteCount) }
    return content
  }

  /// Cuts at every place in `operations`: whole, torn at `tears` random bytes, and with `losses` random sets of losses.
  static func all(
    _ operations: [FileOperation], tears: Int, losses: Int, using generator: inout SeededGenerator
  ) -> [Cut] {
    (0...operations.count).flatMap { count in
      var cuts = [Cut(operationCount: count)]
      if count < operations.count, case .write(_, let bytes) = operations[count] {
        cuts += (0..<tears).map { _ in
          Cut(operationCount: count, tornByteCount: Int.random(in: 1...bytes.count, using: &generator))
        }
      }
      let volatile = (operations[..<count].lastIndex(of: .synchronise) ?? -1) + 1..<count
      guard !volatile.isEmpty else { return cuts }
      return cuts
        + (0..<losses).map { _ in
          Cut(operationCount: count, lost: Set(volatile.filter { _ in Bool.random(using: &generator) }))
        }
    }
  }

  /// `count` of the cuts, evenly spread.
  static func sample(_ cuts: [Cut], count: Int) -> [Cut] {
    (0..<count).map { cuts[$0 * cuts.count / count] }
  }
}
