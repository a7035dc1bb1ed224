import Base

extension SampleFormat {
  /// The largest sample; 1 for floating point.
  var fullScale: Double {
    switch self {
    case .int16: 32_767
    case .int24: 8_388_607
    case .float32: 1
    }
  }

  /// The sample at a byte offset, in the format's own units.
  func load(from bytes: RawSpan, at offset: Int) -> Double {
    switch self {
    case .int16:
      return Double(Int16(bitPattern: UInt16(bytes.byte(offset)) | UInt16(bytes.byte(offset + 1)) << 8))
    case .int24:
      let high = UInt32(bytes.byte(offset + 2)) << 24
      let low = UInt32(bytes.byte(offset)) << 8 | UInt32(bytes.byte(offset + 1)) << 16
      return Double(Int32(bitPattern: high | low) >> 8)
    case .float32:
      let low = UInt32(bytes.byte(offset)) | UInt32(bytes.byte(offset + 1)) << 8
      let high = UInt32(bytes.byte(offset + 2)) << 16 | UInt32(bytes.byte(offset + 3)) << 24
      return Double(Float(bitPattern: low | high))
    }
  }

  /// Stores a sample at a byte offset, clipped, and rounded for integer formats. NaN becomes silence.
  func store(_ sample: Double, into bytes: inout MutableRawSpan, at offset: Int) {
    let clipped = sample.isNaN ? 0 : min(fullScale, max(sample, lowest))
    switch self {
    case .int16, .int24:
      let rounded = Int32(clipped < 0 ? clipped - 0.5 : clipped + 0.5)
      bytes.storeBytes(of: UInt8(truncatingIfNeeded: rounded), toByteOffset: offset, as: UInt8.self)
      bytes.storeBytes(of: UInt8(truncatingIfNeeded: rounded >> 8), toByteOffset: offset + 1, as: UInt8.self)
      guard self == .int24 else { return }
      bytes.storeBytes(of: UInt8(truncatingIfNeeded: rounded >> 16), toByteOffset: offset + 2, as: UInt8.self)
    case .float32:
      let bits = Float(clipped).bitPattern
      for index in 0..<4 {
        let byte = UInt8(truncatingIfNeeded: bits >> UInt32(8 * index))
        bytes.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
      }
    }
  }

  private var lowest: Double { self == .float32 ? -1 : -fullScale - 1 }
}

extension RawSpan {
  fileprivate func byte(_ offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
