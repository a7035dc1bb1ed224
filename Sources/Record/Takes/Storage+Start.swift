import Base
import Machine

extension Storage {
  /// Reads the first bytes of a file.
  /// - Returns: how many there were; nil when there is no such file.
  mutating func readStart<let capacity: Int>(
    of path: FixedText<128>, into bytes: inout InlineArray<capacity, UInt8>
  ) throws(DeviceFailure) -> Int? {
    do throws(DeviceFailure) {
      var file = try open(path)
      var span = bytes.mutableSpan
      var buffer = unsafe span.mutableBytes
      return try file.read(at: 0, into: &buffer)
    } catch {
      guard error.kind == .absent else { throw error }
      return nil
    }
  }
}
