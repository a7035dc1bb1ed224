import Port
import Formats
import Values
import Rings

extension OpenTake where File: ~Copyable {
  /// Writes a stretch of sound behind the last one, makes it safe, then makes the header tell of it, safely too: what
  /// the header promises is always there.
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
    try file.synchronise()
    noteStretch(end: end, to: cut, pictureCount: 0, audioFrameCount: frameCount)
    try renewHeader(audio, scratch: &scratch)
  }

  /// Bytes of sound in the file.
  var dataByteCount: UInt64 { byteCount - UInt64(headerByteCount) }

  private mutating func renewHeader(_ audio: AudioFileDescription, scratch: inout FixedBuffer) throws(DeviceFailure) {
    var room = scratch.mutableBytes
    var writer = ByteWriter(&room)
    audio.encodeHeader(dataByteCount: dataByteCount, isOpen: true, into: &writer)
    try file.write(writer.bytes, at: 0)
    try file.synchronise()
  }

  private mutating func appendBigEndianSamples(
    _ format: SampleFormat, to position: UInt64, from tracks: borrowing RecordedTracks, scratch: inout FixedBuffer,
    at offset: inout UInt64
  ) throws(DeviceFailure) {
    let framesAtOnce = UInt64(scratch.byteCount / tracks.samples.bytesPerFrame)
    var next = writtenPosition
    while next < position {
      let stretch = tracks.samples.frames(from: next, to: min(position, next + framesAtOnce))
      var room = scratch.mutableBytes
      format.copyBigEndian(stretch, into: &room)
      try append(scratch.bytes.extracting(first: stretch.byteCount), at: &offset)
      next += UInt64(stretch.byteCount / tracks.samples.bytesPerFrame)
    }
  }
}
