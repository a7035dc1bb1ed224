import Base
import Media

/// Decides where the take is cut into fragments, each of which is written and flushed as a unit.
///
/// A fragment ends where a picture starts, so that both tracks are cut at the same instant and the file can be split
/// there without losing a sample or a picture. A camera that has stopped must not hold back the sound: if no picture
/// arrives for a while, the fragment ends without one.
///
/// With dependent pictures, a fragment ends early at its last keyframe, so that the next one starts with that keyframe.
/// If it has none it ends between keyframes: waiting for one would lose the whole fragment to a power cut, while a
/// fragment without a keyframe is decoded after the previous one, which is already flushed. A file is split only at a
/// keyframe, the first after its end.
struct TakeCutter {
  /// The length of a fragment if nothing cuts it earlier, in timeline frames.
  let fragmentFrames: UInt64
  /// How long the cutter waits for a late picture, in timeline frames.
  let latePictureFrames: UInt64
  /// How long it takes until it is certain that the take continues, in timeline frames.
  let settlingFrames: UInt64
  let formats: StreamFormats

  /// - Parameter blockFrames: a fragment has a multiple of this many timeline frames, unless the file ends with it.
  init(
    fragmentMilliseconds: UInt64, settlingMilliseconds: UInt64, formats: StreamFormats, blockFrames: UInt64 = 1
  ) {
    let rate = UInt64(formats.timelineRateHz)
    self.formats = formats
    latePictureFrames = rate * TakeLimits.latePictureMilliseconds / 1000
    settlingFrames = rate * settlingMilliseconds / 1000
    // The longest fragment, including a late picture, must fit the tables of one.
    let longest = UInt64(MovieLimits.audioFramesPerFragment) - latePictureFrames
    fragmentFrames = max(min(rate * fragmentMilliseconds / 1000, longest) / blockFrames, 1) * blockFrames
  }

  /// The next cut after `start`; nil until everything before it has arrived.
  ///
  /// - Parameters:
  ///   - fileEnd: where the file is full at the latest.
  ///   - takeEnd: where the take ends, once that has been ordered.
  func cut(
    from start: TimelinePosition, nextPicture: PictureNumber, fileEnd: TimelinePosition, takeEnd: TimelinePosition?,
    in tracks: borrowing RecordedTracks
  ) -> TakeCut? {
    let isFull = start >= fileEnd
    let goal = min(min(start + fragmentFrames, isFull ? .max : fileEnd), takeEnd ?? .max)
    guard var cut = pictureCut(start, goal: goal, isFull: isFull, nextPicture: nextPicture, in: tracks) else {
      return nil
    }
    // If all pictures of a full list were late, the cut would precede the start of the fragment.
    cut.position = max(cut.position, start)
    if let takeEnd, cut.position >= takeEnd {
      cut.position = takeEnd
      cut.isLast = true
    }
    guard takeEnd != nil || isSettled(cut.position, tracks.timeline) else { return nil }
    return tracks.hasAudio(upTo: cut.position, formats: formats) ? cut : nil
  }

  private func isSettled(_ position: TimelinePosition, _ timeline: Timeline) -> Bool {
    position <= timeline.settled && position + settlingFrames <= timeline.now
  }

  private func pictureCut(
    _ start: TimelinePosition, goal: TimelinePosition, isFull: Bool, nextPicture: PictureNumber,
    in tracks: borrowing RecordedTracks
  ) -> TakeCut? {
    let patience = formats.video == nil ? goal : goal + latePictureFrames
    var sequence = nextPicture
    let arrived = formats.video == nil ? nextPicture : tracks.pictures.end
    var lastKeyframe: TakeCut?
    while sequence < arrived {
      let header = tracks.pictures.header(at: sequence)
      let position = header.samplePosition
      let isListFull = sequence - nextPicture == UInt64(MovieLimits.videoSamplesPerFragment)
      let cut = TakeCut(
        position: min(position, patience), endPicture: sequence, isSplitPoint: header.isKeyframe)
      if position >= goal || isListFull { return header.isKeyframe ? cut : lastKeyframe ?? cut }
      if formats.hasDependentPictures, header.isKeyframe, position > start {
        if isFull { return cut }
        lastKeyframe = cut
      }
      sequence += 1
    }
    guard tracks.timeline.now >= patience else { return nil }
    let isSplitPoint = !formats.hasDependentPictures || sequence == nextPicture
    return TakeCut(position: goal, endPicture: sequence, isSplitPoint: isSplitPoint)
  }
}

/// The end of a fragment that can be written now.
struct TakeCut {
  /// The fragment contains everything before this position.
  var position: TimelinePosition
  /// One past the last picture of the fragment.
  var endPicture: PictureNumber
  /// Whether the next file could start here: its first picture is a keyframe, or the camera has stopped.
  var isSplitPoint = true
  var isLast = false
}

/// Where on the timeline a file starts, and with which picture of the picture ring.
struct TakeOpening {
  var position: TimelinePosition
  var picture: PictureNumber
}
