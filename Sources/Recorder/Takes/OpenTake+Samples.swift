import Port
import Rings

extension OpenTake where File: ~Copyable {
  /// Appends the sound from what is written up to `position`, as it lies in the ring.
  mutating func appendSamples(
    to position: UInt64, from tracks: borrowing RecordedTracks, at offset: inout UInt64
  ) throws(DeviceFailure) {
    var next = writtenPosition
    while next < position {
      let stretch = tracks.samples.frames(from: next, to: position)
      try append(stretch, at: &offset)
      next += UInt64(stretch.byteCount / tracks.samples.bytesPerFrame)
    }
  }

  /// Takes down that everything before the cut is safe in the file, which ends at `end`.
  mutating func noteStretch(end: UInt64, to cut: TakeCut, pictureCount: Int, audioFrameCount: Int) {
    largestStretchByteCount = max(largestStretchByteCount, end - byteCount)
    spanByteCount += end - byteCount
    largestSpanByteCount = max(largestSpanByteCount, spanByteCount)
    if cut.isSplitPoint { spanByteCount = 0 }
    byteCount = end
    writtenPosition = cut.position
    nextPicture = cut.endPicture
    stretchCount += 1
    videoFrameCount += UInt64(pictureCount)
    self.audioFrameCount += UInt64(audioFrameCount)
  }
}
