import Formats
import Port
import Rings
import Values

extension OpenTake where File: ~Copyable {
  /// Writes a fragment: the media data, a flush, the header that refers to it, a flush. A power cut in between leaves
  /// zeros in place of the header, and every player stops there.
  mutating func writeFragment(
    _ movie: MovieDescription, to cut: TakeCut, from tracks: borrowing RecordedTracks, scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    let pictures = fragmentPictures(movie, to: cut, from: tracks)
    let audioFrames = movie.audio == nil ? 0 : Int(cut.position - writtenPosition)
    guard pictures.count > 0 || audioFrames > 0 else { return pass(to: cut, refusing: pictures.refusedCount) }
    let fragment = MovieFragment(
      sequenceNumber: fragmentCount + 1, videoStartTicks: pictures.startPosition - startPosition,
      audioStartTicks: writtenPosition - startPosition, audioFrameCount: audioFrames)
    let headerByteCount = movie.fragmentHeaderByteCount(
      videoSampleCount: pictures.count, audioFrameCount: audioFrames)
    var end = byteCount + UInt64(headerByteCount)
    try append(pictures, movie, from: tracks, scratch: &scratch, at: &end)
    if audioFrames > 0 { try appendSamples(to: cut.position, from: tracks, at: &end) }
    try file.synchronise()
    let samples = pictures.samples.span.extracting(first: pictures.count)
    try writeHeader(of: fragment, movie, samples: samples, scratch: &scratch)
    recordFragment(end: end, to: cut, pictureCount: pictures.count, audioFrameCount: audioFrames)
    refusedPictureCount += UInt64(pictures.refusedCount)
  }

  /// Moves on without writing.
  private mutating func pass(to cut: TakeCut, refusing refusedCount: Int) {
    refusedPictureCount += UInt64(refusedCount)
    writtenPosition = cut.position
    nextPicture = cut.endPicture
  }

  /// The pictures of the fragment that go into the movie: all valid ones from the movie's first keyframe on.
  private func fragmentPictures(
    _ movie: MovieDescription, to cut: TakeCut, from tracks: borrowing RecordedTracks
  ) -> FragmentPictures {
    var pictures = FragmentPictures(startPosition: startPosition)
    guard let video = movie.video else { return pictures }
    for sequence in nextPicture..<cut.endPicture {
      let header = tracks.pictures.header(at: sequence)
      let isMovieStart = videoFrameCount == 0 && pictures.count == 0
      guard header.isKeyframe || !isMovieStart else { continue }
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

  private mutating func writeHeader(
    of fragment: MovieFragment, _ movie: MovieDescription, samples: Span<MovieSample>, scratch: inout FixedBuffer
  ) throws(DeviceFailure) {
    var buffer = scratch.mutableBytes
    var writer = ByteWriter(&buffer)
    movie.encodeFragmentHeader(fragment, videoSamples: samples, into: &writer)
    try file.write(writer.bytes, at: byteCount)
    try file.synchronise()
  }
}
