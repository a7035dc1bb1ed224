import Base
import Configuration
import Machine
import Media

extension OpenTake {
  /// Writes a fragment: everything but the first sector of its header, a flush, that sector, a flush. A power cut in
  /// between leaves zeros in place of the header, where every player stops.
  mutating func writeFragment(
    _ movie: MovieDescription, to cut: TakeCut, from tracks: borrowing RecordedTracks, scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    let pictures = fragmentPictures(movie, to: cut, from: tracks)
    let audioFrames = movie.audio == nil ? 0 : Int(cut.position - writtenPosition)
    guard pictures.count > 0 || audioFrames > 0 else { return pass(to: cut, refusing: pictures.refusedCount) }
    let fragment = MovieFragment(
      sequenceNumber: fragmentCount + 1,
      videoStartTicks: lapse.map { videoFrameCount * UInt64($0.ticks) } ?? pictures.startPosition - startPosition,
      audioStartTicks: writtenPosition - startPosition, audioFrameCount: audioFrames)
    let place = movie.fragmentPlace(
      behind: byteCount, videoSampleCount: pictures.count, audioFrameCount: audioFrames)
    let samples = pictures.samples.span.extracting(first: pictures.count)
    try writeStart(of: fragment, movie, samples: samples, at: place, scratch: &scratch)
    var end = place.mediaStart
    try append(pictures, movie, from: tracks, scratch: &scratch, at: &end)
    if audioFrames > 0, let audio = movie.audio {
      try append(
        audio.sampleFormat, isBigEndian: movie.hasBigEndianSamples, to: cut.position, from: tracks, scratch: &scratch,
        at: &end)
    }
    try flush()
    try writeHeader(of: fragment, movie, samples: samples, at: place, scratch: &scratch)
    recordFragment(end: end, to: cut, pictureCount: pictures.count, audioFrameCount: audioFrames)
    noteLapse(pictures)
    refusedPictureCount += UInt64(pictures.refusedCount)
    standInCount += UInt64(pictures.standInCount)
  }

  /// Notes when the pictures of a time lapse were exposed: every hundredth, and the first after others are missing.
  private mutating func noteLapse(_ pictures: FragmentPictures) {
    guard let kept = pictures.lapse else { return }
    lapse?.due = kept.due
    guard videoFrameCount % 100 < UInt64(pictures.count) || kept.isLate else { return }
    _ = ledger.append("time lapse: picture \(videoFrameCount)", at: pictures.newestPosition)
  }

  /// Advances without writing.
  private mutating func pass(to cut: TakeCut, refusing refusedCount: Int) {
    refusedPictureCount += UInt64(refusedCount)
    writtenPosition = cut.position
    nextPicture = cut.endPicture
  }

  /// The pictures of the fragment that go into the movie: all valid ones from the movie's first keyframe on.
  private func fragmentPictures(
    _ movie: MovieDescription, to cut: TakeCut, from tracks: borrowing RecordedTracks
  ) -> FragmentPictures {
    var pictures = FragmentPictures(startPosition: startPosition, lapse: lapse)
    guard let video = movie.video else { return pictures }
    for sequence in nextPicture..<cut.endPicture {
      let header = tracks.pictures.header(at: sequence)
      let isMovieStart = videoFrameCount == 0 && pictures.count == 0
      guard header.isKeyframe || !isMovieStart else { continue }
      if let lapse = pictures.lapse, !isMovieStart {
        guard header.isKeyframe, header.samplePosition >= lapse.due else { continue }
      }
      // A movie's first picture is shown from the first instant, however late it arrived.
      let start = isMovieStart ? startPosition : max(header.samplePosition, startPosition)
      let byteCount = video.coding.sampleByteCount(of: tracks.pictures.bytes(at: sequence))
      pictures.append(sequence, header, from: start, byteCount: byteCount)
    }
    pictures.end(at: cut.position)
    return pictures
  }

  private mutating func append(
    _ pictures: FragmentPictures, _ movie: MovieDescription, from tracks: borrowing RecordedTracks,
    scratch: inout FixedBuffer, at offset: inout UInt64
  ) throws(DeviceFailure) {
    for index in 0..<pictures.count {
      let packet = tracks.pictures.bytes(at: pictures.sequences[index])
      if case .avc(let parameterSets) = movie.video?.coding {
        try append(AVCSample(packet, parameterSets: parameterSets), scratch: &scratch, at: &offset)
      } else {
        try append(packet, at: &offset)
      }
    }
  }

  private mutating func append(
    _ sample: consuming AVCSample, scratch: inout FixedBuffer, at offset: inout UInt64
  ) throws(DeviceFailure) {
    while true {
      var buffer = scratch.mutableBytes
      let byteCount = sample.copy(into: &buffer)
      guard byteCount > 0 else { return }
      try append(scratch.bytes.extracting(first: byteCount), at: &offset)
    }
  }

  /// Also clears what a failed attempt has left in the place of the header.
  private mutating func writeStart(
    of fragment: MovieFragment, _ movie: MovieDescription, samples: Span<MovieSample>, at place: FragmentPlace,
    scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    var buffer = scratch.mutableBytes
    var writer = ByteWriter(&buffer)
    movie.encodeFragmentStart(fragment, videoSamples: samples, at: place, into: &writer)
    seal(writer.bytes)
    writer.clear(place.lastRange)
    try file.write(writer.bytes, at: place.start)
  }

  private mutating func writeHeader(
    of fragment: MovieFragment, _ movie: MovieDescription, samples: Span<MovieSample>, at place: FragmentPlace,
    scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    var buffer = scratch.mutableBytes
    var writer = ByteWriter(&buffer)
    movie.encodeFragmentHeader(fragment, videoSamples: samples, into: &writer)
    try file.write(writer.bytes.extracting(first: place.lastByteCount), at: place.headerStart)
    try flush()
  }
}

/// The pictures of a fragment that become samples of the movie, and their display durations.
struct FragmentPictures {
  /// Only the first ``count`` are valid.
  private(set) var samples = InlineArray<120, MovieSample>(repeating: MovieSample(byteCount: 0, durationTicks: 0))
  /// Their sequence numbers in the ring.
  private(set) var sequences = InlineArray<120, PictureNumber>(repeating: 0)
  private(set) var count = 0
  /// How many of the samples are stand-ins rather than pictures from the camera.
  private(set) var standInCount = 0
  /// Packets that contained no picture.
  private(set) var refusedCount = 0
  /// The timeline position from which the first picture is shown.
  private(set) var startPosition: TimelinePosition
  private(set) var newestPosition: TimelinePosition = 0
  /// Which pictures are kept from here on; nil for all.
  private(set) var lapse: LapseProgress?

  /// Adds the next picture. If it has no bytes, the previous one is shown longer.
  mutating func append(
    _ sequence: PictureNumber, _ header: PictureHeader, from position: TimelinePosition, byteCount: Int
  ) {
    guard byteCount > 0 else { return refusedCount += 1 }
    end(at: header.samplePosition)
    if count == 0 { startPosition = position }
    newestPosition = position
    lapse?.keep(header.samplePosition)
    samples[count] = MovieSample(byteCount: UInt32(byteCount), durationTicks: 0, isKeyframe: header.isKeyframe)
    sequences[count] = sequence
    if header.isStandIn { standInCount += 1 }
    count += 1
  }

  /// Shows the newest picture until `position`, for at least one tick.
  mutating func end(at position: TimelinePosition) {
    guard count > 0 else { return }
    samples[count - 1].durationTicks = lapse?.ticks ?? UInt32(max(position, newestPosition + 1) - newestPosition)
  }
}

/// Which pictures of a take a time lapse keeps: the first one at or after each multiple of the interval from the
/// file's start on. Of dependent pictures, only keyframes.
struct LapseProgress: BitwiseCopyable {
  private let startPosition: TimelinePosition
  private let intervalFrames: UInt64
  /// How long each picture is shown.
  let ticks: UInt32
  /// The next picture is the first from here on.
  var due: TimelinePosition
  /// Whether pictures are missing before the newest one.
  private(set) var isLate = false

  init(_ lapse: TimeLapse, _ movie: MovieDescription, from start: TimelinePosition, timelineRateHz: UInt32) {
    startPosition = start
    intervalFrames = UInt64(lapse.intervalSeconds * Double(timelineRateHz))
    ticks = movie.timescale / lapse.framesPerSecond
    due = start
  }

  mutating func keep(_ position: TimelinePosition) {
    isLate = position >= due + intervalFrames
    due = startPosition + (position.distance(since: startPosition) / intervalFrames + 1) * intervalFrames
  }
}

/// Tracks the parameter sets of the H.264 stream in the picture ring.
///
/// Some encoders send them only once, before their first picture, which leaves the ring long before a take starts. So
/// every packet is inspected when it arrives.
struct ParameterSetWatch {
  /// The newest complete sets; nil if there are none.
  private(set) var newest: ParameterSets?
  /// What was wrong with the newest unusable sets.
  private(set) var error = ParameterSetsError.incomplete
  private var nextPicture: PictureNumber = 0

  /// Inspects the packets that have arrived since the last call, each up to its picture data.
  mutating func look(at tracks: borrowing RecordedTracks) {
    let end = tracks.pictures.end
    var sequence = max(nextPicture, tracks.pictures.first)
    while sequence < end {
      look(at: tracks.pictures.bytes(at: sequence))
      sequence += 1
    }
    nextPicture = end
  }

  private mutating func look(at packet: RawSpan) {
    do throws(ParameterSetsError) {
      if let sets = try ParameterSets(packet: packet) { newest = sets }
    } catch {
      self.error = error
    }
  }
}
