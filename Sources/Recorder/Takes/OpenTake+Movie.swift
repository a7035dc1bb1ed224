import Port
import Formats
import Values
import Rings

extension OpenTake where File: ~Copyable {
  /// Writes a fragment: first its media data, made safe, then the header that names it, made safe too. A cut in between
  /// leaves zeros where the header would be, at which every player stops.
  mutating func writeFragment(
    _ movie: MovieDescription, to cut: TakeCut, from tracks: borrowing RecordedTracks, scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    let pictures = stretchPictures(movie, to: cut, from: tracks)
    let audioFrames = movie.audio == nil ? 0 : Int(cut.position - writtenPosition)
    refusedPictureCount += UInt64(pictures.refusedCount)
    guard pictures.count > 0 || audioFrames > 0 else { return pass(to: cut) }
    let fragment = MovieFragment(
      sequenceNumber: stretchCount + 1, videoStartTicks: pictures.startPosition - startPosition,
      audioStartTicks: writtenPosition - startPosition, audioFrameCount: audioFrames)
    let headerByteCount = movie.fragmentHeaderByteCount(
      videoSampleCount: pictures.count, audioFrameCount: audioFrames)
    var end = byteCount + UInt64(headerByteCount)
    try append(pictures, movie, from: tracks, scratch: &scratch, at: &end)
    if audioFrames > 0 { try appendSamples(to: cut.position, from: tracks, at: &end) }
    try file.synchronise()
    let samples = pictures.samples.span.extracting(first: pictures.count)
    try writeHeader(of: fragment, movie, samples: samples, scratch: &scratch)
    noteStretch(end: end, to: cut, pictureCount: pictures.count, audioFrameCount: audioFrames)
  }

  /// There was nothing to write.
  private mutating func pass(to cut: TakeCut) {
    writtenPosition = cut.position
    nextPicture = cut.endPicture
  }

  /// What the movie takes of the stretch's pictures: from its first keyframe on all that are some.
  private func stretchPictures(
    _ movie: MovieDescription, to cut: TakeCut, from tracks: borrowing RecordedTracks
  ) -> StretchPictures {
    var pictures = StretchPictures(startPosition: startPosition)
    guard let video = movie.video else { return pictures }
    for sequence in nextPicture..<cut.endPicture {
      let header = tracks.pictures.header(at: sequence)
      let isMovieStart = videoFrameCount == 0 && pictures.count == 0
      guard header.isKeyframe || !isMovieStart else { continue }
      // A movie's first picture is shown from its first instant on, however late it came.
      let start = isMovieStart ? startPosition : max(header.samplePosition, startPosition)
      let byteCount = video.coding.sampleByteCount(of: tracks.pictures.bytes(at: sequence))
      pictures.append(sequence, header, from: start, byteCount: byteCount)
    }
    pictures.end(at: cut.position)
    return pictures
  }

  private mutating func append(
    _ pictures: StretchPictures, _ movie: MovieDescription, from tracks: borrowing RecordedTracks,
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
      var room = scratch.mutableBytes
      let byteCount = sample.copy(into: &room)
      guard byteCount > 0 else { return }
      try append(scratch.bytes.extracting(first: byteCount), at: &offset)
    }
  }

  private mutating func writeHeader(
    of fragment: MovieFragment, _ movie: MovieDescription, samples: Span<MovieSample>, scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    var room = scratch.mutableBytes
    var writer = ByteWriter(&room)
    movie.encodeFragmentHeader(fragment, videoSamples: samples, into: &writer)
    try file.write(writer.bytes, at: byteCount)
    try file.synchronise()
  }
}
