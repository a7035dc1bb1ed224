/// Expands limited-range samples to the full range of a JPEG.
enum RangeExpansion {
  /// 16…235 become 0…255.
  case luma
  /// 16…240 become 0…255; 128 stays 128.
  case difference

  /// Expands samples in place. Written so that the optimiser vectorises the loops.
  func apply(to samples: UnsafeMutablePointer<UInt8>, count: Int) {
    switch self {
    case .luma: unsafe expandLuma(samples, count)
    case .difference: unsafe expandDifference(samples, count)
    }
  }

  /// 149 / 128 is within 0.03 % of 255 / 219; 239 · 149 fits 16 bits.
  private func expandLuma(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int) {
    for index in 0..<count {
      let aboveBlack = UInt16(max(unsafe samples[index], 16) &- 16)
      let expanded = (aboveBlack &* 149 &+ 64) >> 7
      unsafe samples[index] = UInt8(truncatingIfNeeded: min(expanded, 255))
    }
  }

  /// 291 / 256 is within 0.15 % of 255 / 224.
  private func expandDifference(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int) {
    for index in 0..<count {
      let difference = Int32(unsafe samples[index]) &- 128
      let expanded = (difference &* 291 &+ 128) >> 8 &+ 128
      unsafe samples[index] = UInt8(truncatingIfNeeded: max(0, min(expanded, 255)))
    }
  }
}
