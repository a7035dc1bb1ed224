import Base
import Machine

/// A data folder that implements only what a test needs; it refuses all other calls.
package protocol PartialStorage: StorageDriver, ~Copyable {}

extension PartialStorage where Self: ~Copyable {
  private var refusal: DeviceFailure { MemoryDisk.failure(.unsupported, "") }

  package mutating func makeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) { throw refusal }
  package mutating func create(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile { throw refusal }
  package mutating func open(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile { throw refusal }
  package mutating func replace(_ path: borrowing FixedText<128>, with bytes: RawSpan) throws(DeviceFailure) {
    throw refusal
  }
  package mutating func rename(
    _ path: borrowing FixedText<128>, to newPath: borrowing FixedText<128>
  ) throws(DeviceFailure) { throw refusal }
  package mutating func synchroniseFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) { throw refusal }
  package mutating func setProtection(
    of path: borrowing FixedText<128>, to isProtected: Bool
  ) throws(DeviceFailure) { throw refusal }
  package mutating func remove(_ path: borrowing FixedText<128>) throws(DeviceFailure) { throw refusal }
  package mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) { throw refusal }
  package mutating func reopen() throws(DeviceFailure) { throw refusal }
  package mutating func fallBack() throws(DeviceFailure) { throw refusal }
  package func elsewhere(_ folder: borrowing FixedText<128>) throws(DeviceFailure) -> HostStorage { throw refusal }
  package func freeByteCount() throws(DeviceFailure) -> UInt64 { throw refusal }
}
