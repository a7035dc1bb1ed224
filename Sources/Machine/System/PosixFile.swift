import Base
import CLinux

/// A file in the data folder, open for reading and writing.
package struct PosixFile: StorageFile, ~Copyable {
  private let descriptor: FileDescriptor
  private let path: FixedText<128>
  /// Updated by every write, without asking the system.
  package private(set) var byteCount: UInt64

  /// - Parameter path: for messages.
  init(_ descriptor: consuming FileDescriptor, path: borrowing FixedText<128>) throws(DeviceFailure) {
    var status = stat()
    guard unsafe fstat(descriptor.number, &status) == 0 else {
      throw storageFailure(path, "cannot be examined")
    }
    byteCount = UInt64(status.st_size)
    self.path = copy path
    self.descriptor = descriptor
  }

  /// A file that has just been created: asking for its length could fail and leave an empty file behind.
  init(made descriptor: consuming FileDescriptor, path: borrowing FixedText<128>) {
    byteCount = 0
    self.path = copy path
    self.descriptor = descriptor
  }

  package var largestByteCount: UInt64 { linux_largest_file(descriptor.number) }

  /// Continues after a short read, to the end of the buffer or the file.
  package mutating func read(at offset: UInt64, into buffer: inout MutableRawSpan) throws(DeviceFailure) -> Int {
    var done = 0
    while done < buffer.byteCount {
      let count = unsafe buffer.withUnsafeMutableBytes { buffer in
        retryingWhenInterrupted {
          unsafe pread(descriptor.number, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + done)
        }
      }
      guard count >= 0 else { throw storageFailure(path, "cannot be read") }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Continues after a short write; bytes written before a failure stay and count.
  package mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(DeviceFailure) {
    var done = 0
    while done < bytes.byteCount {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        retryingWhenInterrupted {
          unsafe pwrite(descriptor.number, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + done)
        }
      }
      // Bytes written count even if the rest does not fit: the file has that length now.
      guard count > 0 else { throw storageFailure(path, "cannot be written") }
      done += count
      byteCount = max(byteCount, offset + UInt64(done))
    }
  }

  /// Calls `fdatasync`. A removed file is gone once it is closed, whatever is on the disk.
  package mutating func synchronise() throws(DeviceFailure) {
    guard FileStatus(of: descriptor)?.hasName ?? true else {
      var failure = storageFailure(path, "was removed while it was being written", systemErrorNumber: ENOENT)
      failure.remedy = "its contents are lost; record again"
      throw failure
    }
    guard retryingWhenInterrupted({ Int(fdatasync(descriptor.number)) }) == 0 else {
      throw storageFailure(path, "cannot be flushed to the disk")
    }
  }

  package mutating func setModified(unixNanoseconds: Int64) {
    let (seconds, rest) = unixNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    let times = InlineArray<2, timespec>(repeating: time)
    _ = unsafe times.span.withUnsafeBufferPointer { unsafe futimens(descriptor.number, $0.baseAddress!) }
  }

  /// Calls `ftruncate`.
  package mutating func truncate(to byteCount: UInt64) throws(DeviceFailure) {
    guard retryingWhenInterrupted({ Int(ftruncate(descriptor.number, off_t(byteCount))) }) == 0 else {
      throw storageFailure(path, "cannot be truncated")
    }
    self.byteCount = byteCount
  }
}
