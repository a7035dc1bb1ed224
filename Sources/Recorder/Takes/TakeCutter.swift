import Formats
import Values
import Rings

/// Decides where the take is cut into stretches that are written and made safe as one.
///
/// A stretch ends where a picture begins, so that the tracks are cut at the same instant and a file can give way to the
/// next one there without a sample or a picture lost. A camera that has stopped must not hold the sound back: when no
/// picture comes for a while the stretch ends without one.
///
/// Where pictures need those before them a stretch ends early at the last keyframe in it, so that the next begins with
/// it. When there is none it ends all the same, between keyframes: a stretch that waited for one would be lost whole to a
/// power cut, while one that begins without is decoded with the stretch before it, which is safe already. A file gives
/// way to the next one at a keyframe only, the first behind its end.
struct TakeCutter {
  /// How long a stretch is when nothing cuts it earlier.
  let stretchFrames: UInt64
  /// How long a late picture is waited for.
  let patienceFrames: UInt64
  /// How long it takes until it is certain that the take goes on.
  let settlingFrames: UInt64
  let formats: StreamFormats

  init(stretchMilliseconds: UInt64, formats: StreamFormats) {
    let rate = UInt64(formats.timelineRateHz)
    self.formats = formats
    patienceFrames = rate * TakeLimits.latePictureMilliseconds / 1000
    settlingFrames = rate * TakeLimits.settlingMilliseconds / 1000
    // The longest stretch, a late picture included, must fit one fragment.
    let longest = UInt64(MovieLimits.audioFramesPerFragment) - patienceFrames
    stretchFrames = min(rate * stretchMilliseconds / 1000, longest)
  }

  /// The next cut behind `start`; nil while what belongs before it is still on its way.
  ///
  /// - Parameters:
  ///   - fileEnd: where the file is full at the latest.
  ///   - takeEnd: where the take ends, once that is ordered.
  func cut(
    from start: UInt64, nextPicture: UInt64, fileEnd: UInt64, takeEnd: UInt64?, in tracks: borrowing RecordedTracks
  ) -> TakeCut? {
    let isFull = start >= fileEnd
    let goal = min(min(start + stretchFrames, isFull ? .max : fileEnd), takeEnd ?? .max)
    guard var cut = pictureCut(start, goal: goal, isFull: isFull, nextPicture: nextPicture, in: tracks) else {
      return nil
    }
    // A full list of pictures that all came late ends before the stretch begins.
    cut.position = max(cut.position, start)
    if let takeEnd, cut.position >= takeEnd {
      cut.position = takeEnd
      cut.isLast = true
    }
    guard takeEnd != nil || isSettled(cut.position, tracks.timeline) else { return nil }
    return tracks.hasAudio(upTo: cut.position, formats: formats) ? cut : nil
  }

  private func isSettled(_ position: UInt64, _ timeline: Timeline) -> Bool {
    position <= timeline.settled && position + settlingFrames <= timeline.now
  }

  private func pictureCut(
    _ start: UInt64, goal: UInt64, isFull: Bool, nextPicture: UInt64, in tracks: borrowing RecordedTracks
  ) -> TakeCut? {
    let patience = formats.video == nil ? goal : goal + patienceFrames
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
