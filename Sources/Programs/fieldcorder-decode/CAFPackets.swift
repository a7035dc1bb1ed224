import CFFmpeg

/// What the packet table of a CAF file says about its sound.
struct CAFPackets {
  /// Frames to play.
  let frameCount: Int64
  /// Frames to decode and drop before them.
  let primingFrameCount: Int64
  /// Whether the table states padding; FFmpeg itself writes zero padding.
  let isTrimmed: Bool

  private static let chunkLimit = 100
  private static let mostFrames: UInt64 = 1 << 40

  /// - Returns: nil if the file has no packet table.
  init?(_ bytes: inout FileBytes) {
    var place: Int64 = 8
    for _ in 0..<Self.chunkLimit {
      guard let size = bytes.bigEndian(at: place + 4, bytes: 8), size < 1 << 62 else { return nil }
      guard bytes.equals("pakt", at: place) else {
        place += 12 + Int64(size)
        continue
      }
      guard let valid = bytes.bigEndian(at: place + 20, bytes: 8), valid < Self.mostFrames,
        let priming = bytes.bigEndian(at: place + 28, bytes: 4), priming < 1 << 20,
        let remainder = bytes.bigEndian(at: place + 32, bytes: 4)
      else { return nil }
      (frameCount, primingFrameCount) = (Int64(valid), Int64(priming))
      isTrimmed = priming > 0 || remainder > 0
      return
    }
    return nil
  }

  /// The whole file; nil if nothing is to be trimmed.
  func part(of byteCount: Int64, _ parameters: UnsafeMutablePointer<AVCodecParameters>) -> FilePart? {
    guard isTrimmed else { return nil }
    return unsafe FilePart(
      end: byteCount, tailEnd: byteCount, frameCount: frameCount, sampleRateHz: parameters.pointee.sample_rate,
      primingFrameCount: primingFrameCount)
  }
}
