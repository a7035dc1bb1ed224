/// Random access to the one file that a take is written to, or that is being repaired.
package protocol MediaFile: ~Copyable {
  associatedtype Failure: Error

  var byteCount: UInt64 { get }

  /// Fills `room` with the bytes from `offset`.
  /// - Returns: the number of bytes read; less than the size of `room` only at the end of the file.
  mutating func read(at offset: UInt64, into room: inout MutableRawSpan) throws(Failure) -> Int

  /// Writes all of `bytes` at `offset`; a gap between the old end and `offset` reads as zeros.
  mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(Failure)

  /// Returns once everything written so far, and the length, would survive a power cut (`fdatasync`).
  mutating func synchronise() throws(Failure)

  mutating func truncate(to byteCount: UInt64) throws(Failure)
}
