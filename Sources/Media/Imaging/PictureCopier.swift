import Base

/// Copies a camera's picture into a buffer that may have longer rows, or more of them.
struct PictureCopier: BitwiseCopyable {
  private let planes: InlineArray<3, PlaneCopy>
  private let planeCount: Int
  private let sourceByteCount: Int
  private let targetByteCount: Int

  private struct PlaneCopy: BitwiseCopyable {
    var source: PlaneLayout
    var target: PlaneLayout
    var bytesPerRow: Int
  }

  /// - Returns: nil for compressed pictures, or if `target` has another format or is smaller.
  init?(from source: VideoFormat, to target: VideoFormat) {
    guard source.pixelFormat == target.pixelFormat, source.widthPixels <= target.widthPixels,
      source.heightPixels <= target.heightPixels, let from = PictureLayout(source), let to = PictureLayout(target)
    else { return nil }
    let width = Int(source.widthPixels)
    let luma = PlaneCopy(source: from.luma, target: to.luma, bytesPerRow: width * from.luma.bytesToNextSample)
    let blueDifference = PlaneCopy(
      source: from.blueDifference, target: to.blueDifference,
      bytesPerRow: width / 2 * from.blueDifference.bytesToNextSample)
    let redDifference = PlaneCopy(
      source: from.redDifference, target: to.redDifference,
      bytesPerRow: width / 2 * from.redDifference.bytesToNextSample)
    planes = [luma, blueDifference, redDifference]
    planeCount =
      switch source.pixelFormat {
      case .mjpeg, .yuyv: 1
      case .nv12: 2
      case .yuv420: 3
      }
    sourceByteCount = from.byteCount
    targetByteCount = to.byteCount
  }

  /// - Returns: false, with nothing written, if either has fewer bytes than its format requires.
  func copy(_ picture: RawSpan, into buffer: inout MutableRawSpan) -> Bool {
    guard picture.byteCount >= sourceByteCount, buffer.byteCount >= targetByteCount else { return false }
    for index in 0..<planeCount { copy(planes[index], of: picture, into: &buffer) }
    return true
  }

  @_optimize(speed)
  private func copy(_ plane: PlaneCopy, of picture: RawSpan, into buffer: inout MutableRawSpan) {
    // Safe: each row ends before the last sample of its layout, and both layouts were checked against the spans.
    unsafe buffer.withUnsafeMutableBytes { target in
      unsafe picture.withUnsafeBytes { source in
        for row in 0..<plane.source.heightSamples {
          let from = plane.source.offset + row * plane.source.bytesPerRow
          let to = plane.target.offset + row * plane.target.bytesPerRow
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[to..<to + plane.bytesPerRow]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: source[from..<from + plane.bytesPerRow]))
        }
      }
    }
  }
}

extension MutableRawSpan {
  /// Writes `source`, starting at `offset`; all of it must fit.
  package mutating func copy(_ source: RawSpan, to offset: Int = 0) {
    precondition(offset >= 0 && source.byteCount <= byteCount - offset, "more bytes to copy than fit")
    // Safe: both stay within their spans, as was just checked.
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0)
      }
    }
  }
}
