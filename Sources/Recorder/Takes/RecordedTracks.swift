import Values
import Rings

/// The rings as the storage worker sees them: what was captured, by position on the timeline.
public struct RecordedTracks: ~Copyable {
  var samples: SampleRingConsumer
  var pictures: PacketRingConsumer<PictureHeader>
  let timeline: Timeline

  /// The reading ends of both rings, and the timeline that they are stamped with.
  public init(
    samples: consuming SampleRingConsumer, pictures: consuming PacketRingConsumer<PictureHeader>, timeline: Timeline
  ) {
    self.samples = samples
    self.pictures = pictures
    self.timeline = timeline
  }

  /// The oldest picture at or behind `position`; nil when none has come yet.
  func firstPicture(atOrAfter position: UInt64) -> UInt64? {
    var sequence = pictures.first
    let end = pictures.end
    while sequence < end {
      if pictures.header(at: sequence).samplePosition >= position { return sequence }
      sequence += 1
    }
    return nil
  }

  /// Where on the timeline a picture that is held was exposed.
  func position(of picture: UInt64) -> UInt64 { pictures.header(at: picture).samplePosition }

  /// The newest keyframe at or before `position` of those at or behind `earliest`; else the oldest behind `position`;
  /// nil when none has come yet.
  func keyframe(near position: UInt64, atOrAfter earliest: UInt64) -> UInt64? {
    var best: UInt64?
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

  /// Whether the audio up to `position` is in the ring, or there is none to wait for.
  func hasAudio(upTo position: UInt64, formats: StreamFormats) -> Bool {
    formats.audio == nil || samples.end >= position
  }

  /// Gives back what lies before `position`, but for pictures from `kept` on: one that came late is still to be written.
  mutating func release(before position: UInt64, keepingPicturesFrom kept: UInt64?) {
    samples.release(before: max(samples.first, min(position, samples.end)))
    var sequence = pictures.first
    let end = min(pictures.end, kept ?? .max)
    while sequence < end, pictures.header(at: sequence).samplePosition < position { sequence += 1 }
    pictures.release(before: sequence)
  }

  /// Gives back all there is.
  mutating func releaseAll() {
    samples.release(before: samples.end)
    pictures.release(before: pictures.end)
  }
}
