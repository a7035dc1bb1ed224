import Base

/// The rings as the storage worker reads them: what was captured, by position on the timeline.
package struct RecordedTracks: ~Copyable {
  var samples: SampleRingConsumer
  var pictures: PacketRingConsumer<PictureHeader>
  let timeline: Timeline

  /// Takes the consumer ends of both rings and the timeline of their positions.
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

  /// The newest keyframe from `earliest` to `position`, otherwise the oldest after `position`; nil if none has
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

  /// Releases everything before `position`, except pictures from `kept` on: a late one is still to be written.
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
