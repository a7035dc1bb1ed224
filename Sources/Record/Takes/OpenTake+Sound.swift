import Base
import Machine
import Media

extension OpenTake {
  /// Appends a fragment of sound and flushes it, then updates the header and flushes that. The file always holds what
  /// the header counts.
  mutating func writeSound(
    _ audio: AudioFileDescription, to cut: TakeCut, from tracks: borrowing RecordedTracks, scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    let frameCount = Int(cut.position - writtenPosition)
    guard frameCount > 0 else { return }
    var end = byteCount
    if audio.container.needsBigEndianSamples {
      try appendBigEndianSamples(audio.format.sampleFormat, to: cut.position, from: tracks, scratch: &scratch, at: &end)
    } else {
      try appendSamples(to: cut.position, from: tracks, at: &end)
    }
    try flush()
    recordFragment(end: end, to: cut, pictureCount: 0, audioFrameCount: frameCount)
    try renewHeader(audio, scratch: &scratch)
  }

  var dataByteCount: UInt64 { byteCount - UInt64(headerByteCount) }

  private mutating func renewHeader(_ audio: AudioFileDescription, scratch: inout FixedBuffer) throws(DeviceFailure) {
    var buffer = scratch.mutableBytes
    var writer = ByteWriter(&buffer)
    audio.encodeHeader(dataByteCount: dataByteCount, isOpen: true, into: &writer)
    try file.write(writer.bytes, at: 0)
    try flush()
  }

  private mutating func appendBigEndianSamples(
    _ format: SampleFormat, to position: TimelinePosition, from tracks: borrowing RecordedTracks,
    scratch: inout FixedBuffer,
    at offset: inout UInt64
  ) throws(DeviceFailure) {
    let framesAtOnce = UInt64(scratch.byteCount / tracks.samples.bytesPerFrame)
    var next = writtenPosition
    while next < position {
      let frames = tracks.samples.frames(from: next, to: min(position, next + framesAtOnce))
      var buffer = scratch.mutableBytes
      format.copyBigEndian(frames, into: &buffer)
      try append(scratch.bytes.extracting(first: frames.byteCount), at: &offset)
      next += UInt64(frames.byteCount / tracks.samples.bytesPerFrame)
    }
  }

  /// Appends the sound from ``writtenPosition`` to `position` in the ring's format.
  mutating func appendSamples(
    to position: TimelinePosition, from tracks: borrowing RecordedTracks, at offset: inout UInt64
  ) throws(DeviceFailure) {
    var next = writtenPosition
    while next < position {
      let frames = tracks.samples.frames(from: next, to: position)
      try append(frames, at: &offset)
      next += UInt64(frames.byteCount / tracks.samples.bytesPerFrame)
    }
  }

  /// Records that everything before the cut is safe in the file, which now ends at `end`.
  mutating func recordFragment(end: UInt64, to cut: TakeCut, pictureCount: Int, audioFrameCount: Int) {
    largestFragmentByteCount = max(largestFragmentByteCount, end - byteCount)
    spanByteCount += end - byteCount
    largestSpanByteCount = max(largestSpanByteCount, spanByteCount)
    if cut.isSplitPoint { spanByteCount = 0 }
    byteCount = end
    writtenPosition = cut.position
    nextPicture = cut.endPicture
    fragmentCount += 1
    videoFrameCount += UInt64(pictureCount)
    self.audioFrameCount += UInt64(audioFrameCount)
    keepContent()
  }
}
