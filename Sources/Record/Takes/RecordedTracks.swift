import Base
import Configuration

/// The rings as read by the storage worker: what was captured, by timeline position.
package struct RecordedTracks: ~Copyable {
  var samples: SampleRingConsumer
  var pictures: PacketRingConsumer<PictureHeader>
  let timeline: Timeline

  /// Takes the consumer ends of both rings, and the timeline of their positions.
  package init(
    samples: consuming SampleRingConsumer, pictures: consuming PacketRingConsumer<PictureHeader>, timeline: Timeline
  ) {
    self.samples = samples
    self.pictures = pictures
    self.timeline = timeline
  }

  /// The oldest picture at or after `position`; nil if none has arrived.
  func firstPicture(atOrAfter position: TimelinePosition) -> PictureNumber? {
    var sequence = pictures.first
    let end = pictures.end
    while sequence < end {
      if pictures.header(at: sequence).samplePosition >= position { return sequence }
      sequence += 1
    }
    return nil
  }

  /// The timeline position at which a picture in the ring was exposed.
  func position(of picture: PictureNumber) -> TimelinePosition { pictures.header(at: picture).samplePosition }

  /// The newest keyframe from `earliest` to `position`; if there is none, the oldest after `position`; nil if none has
  /// arrived.
  func keyframe(near position: TimelinePosition, atOrAfter earliest: TimelinePosition) -> PictureNumber? {
    var best: PictureNumber?
    var sequence = pictures.first
    let end = pictures.end
    while sequence < end {
      let header = pictures.header(at: sequence)
      if header.samplePosition > position, best != nil { return best }
      if header.isKeyframe, header.samplePosition >= earliest { best = sequence }
      sequence += 1
    }
    return best
  }

  /// Whether the sound up to `position` is in the ring, or there is no microphone to wait for.
  func hasAudio(upTo position: TimelinePosition, formats: StreamFormats) -> Bool {
    formats.audio == nil || samples.end >= position
  }

  /// Releases everything before `position`, except pictures from `kept` on: a late picture is still to be written.
  mutating func release(before position: TimelinePosition, keepingPicturesFrom kept: PictureNumber?) {
    samples.release(before: max(samples.first, min(position, samples.end)))
    var sequence = pictures.first
    let end = min(pictures.end, kept ?? .max)
    while sequence < end, pictures.header(at: sequence).samplePosition < position { sequence += 1 }
    pictures.release(before: sequence)
  }

  mutating func releaseAll() {
    samples.release(before: samples.end)
    pictures.release(before: pictures.end)
  }
}

/// The formats delivered by the devices; nil for a missing device.
package struct StreamFormats: BitwiseCopyable, Sendable {
  /// What the microphone delivers.
  package var audio: AudioFormat?
  /// What the camera delivers.
  package var video: VideoFormat?
  /// The codec of the pictures in the ring.
  package var codec: VideoCodec

  /// Requires that at least one of the two is not nil.
  package init(audio: AudioFormat?, video: VideoFormat?, codec: VideoCodec = .mjpeg) {
    self.audio = audio
    self.video = video
    self.codec = codec
  }

  /// The formats that are stored in a file. Without a microphone that is a movie, whatever was requested.
  func kept(in content: TakeContent) -> StreamFormats {
    StreamFormats(audio: audio, video: content != .video && audio != nil ? nil : video, codec: codec)
  }

  /// Timeline ticks per second: the audio sample rate, or 48,000 without a microphone.
  package var timelineRateHz: UInt32 { audio?.sampleRateHz ?? 48_000 }

  /// Whether pictures depend on earlier ones, back to a keyframe.
  var hasDependentPictures: Bool { video != nil && codec.hasDependentPictures }
}

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
      // Safe: every bit pattern is a valid integer.
      let value = unsafe samples.unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self)
      buffer.storeBytes(of: value.byteSwapped, toByteOffset: offset, as: Word.self)
    }
  }

  private func copyTriplets(_ samples: RawSpan, into buffer: inout MutableRawSpan) {
    for offset in stride(from: 0, to: samples.byteCount, by: 3) {
      for index in 0..<3 {
        // Safe: every bit pattern is a valid byte.
        let byte = unsafe samples.unsafeLoad(fromByteOffset: offset + 2 - index, as: UInt8.self)
        buffer.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
      }
    }
  }
}
