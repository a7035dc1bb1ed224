import Base

extension SampleFormat {
  /// Copies little-endian samples with their bytes swapped.
  func copyBigEndian(_ samples: RawSpan, into buffer: inout MutableRawSpan) {
    switch self {
    case .int16: copySwapped(UInt16.self, samples, into: &buffer)
    case .float32: copySwapped(UInt32.self, samples, into: &buffer)
    case .int24: copyTriplets(samples, into: &buffer)
    }
  }

  private func copySwapped<Word: FixedWidthInteger & BitwiseCopyable>(
    _ word: Word.Type, _ samples: RawSpan, into buffer: inout MutableRawSpan
  ) {
    for offset in stride(from: 0, to: samples.byteCount, by: MemoryLayout<Word>.size) {
      // Sound: every bit pattern is a valid integer.
      let value = unsafe samples.unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self)
      buffer.storeBytes(of: value.byteSwapped, toByteOffset: offset, as: Word.self)
    }
  }

  private func copyTriplets(_ samples: RawSpan, into buffer: inout MutableRawSpan) {
    for offset in stride(from: 0, to: samples.byteCount, by: 3) {
      for index in 0..<3 {
        // Sound: every bit pattern is a valid byte.
        let byte = unsafe samples.unsafeLoad(fromByteOffset: offset + 2 - index, as: UInt8.self)
        buffer.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
      }
    }
  }
}
