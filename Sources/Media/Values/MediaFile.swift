/// Random access to the one file that a take is written to, or that a repair mends.
public protocol MediaFile: ~Copyable {
  /// What reading and writing throw.
  associatedtype Failure: Error

  /// The file's length now.
  var byteCount: UInt64 { get }

  /// Fills `room` from `offset` on.
  /// - Returns: how many bytes there were; fewer than `room` holds only at the file's end.
  mutating func read(at offset: UInt64, into room: inout MutableRawSpan) throws(Failure) -> Int

  /// Writes all of `bytes` at `offset`; a gap between the old end and `offset` reads as zeros.
  mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(Failure)

  /// Returns once everything written, and the length, would survive a power cut (`fdatasync`).
  mutating func synchronise() throws(Failure)

  /// Cuts the file off at `byteCount`.
  mutating func truncate(to byteCount: UInt64) throws(Failure)
}
