import Base

extension MovieDescription {
  /// Bytes from the start of a fragment to its media data. They depend only on the counts, so that the media data can
  /// be written before the header.
  package func fragmentHeaderByteCount(videoSampleCount: Int, audioFrameCount: Int) -> Int {
    precondition(videoSampleCount <= MovieLimits.videoSamplesPerFragment, "too many pictures for one fragment")
    precondition(audioFrameCount <= MovieLimits.audioFramesPerFragment, "too much audio for one fragment")
    let trackCount = (videoSampleCount > 0 ? 1 : 0) + (audioFrameCount > 0 ? 1 : 0)
    let audioPacketCount = MovieLimits.audioPacketCount(frameCount: audioFrameCount)
    let pictureEntry = hasKeyframeTable ? TrackRunLayout.flaggedEntryByteCount : TrackRunLayout.entryByteCount
    return MovieLimits.fragmentHeaderByteCount(
      trackCount: trackCount,
      entriesByteCount: videoSampleCount * pictureEntry + audioPacketCount * TrackRunLayout.entryByteCount)
  }

  /// Writes a fragment's `moof` and the header of its `mdat`. Omits a track without samples; at least one has some.
  @export(interface)
  package func encodeFragmentHeader(
    _ fragment: MovieFragment, videoSamples: Span<MovieSample>, into writer: inout ByteWriter
  ) {
    precondition(!videoSamples.isEmpty || fragment.audioFrameCount > 0, "a fragment without any sample")
    let headerByteCount = fragmentHeaderByteCount(
      videoSampleCount: videoSamples.count, audioFrameCount: fragment.audioFrameCount)
    let videoByteCount = byteCount(of: videoSamples)
    let audioByteCount = fragment.audioFrameCount * (audio?.bytesPerFrame ?? 0)
    writer.box("moof") { writer in
      writer.fullBox("mfhd") { writer in writer.big32(fragment.sequenceNumber) }
      encodeVideoFragment(fragment, videoSamples, dataOffset: headerByteCount, into: &writer)
      encodeAudioFragment(fragment, dataOffset: headerByteCount + videoByteCount, into: &writer)
    }
    let boxHeaderByteCount = 8
    writer.big32(UInt32(boxHeaderByteCount + videoByteCount + audioByteCount))
    writer.code("mdat")
  }

  private var hasKeyframeTable: Bool { video?.hasKeyframeTable ?? false }

  private func byteCount(of samples: Span<MovieSample>) -> Int {
    var sum = 0
    for index in samples.indices { sum += Int(samples[index].byteCount) }
    return sum
  }

  private func encodeVideoFragment(
    _ fragment: MovieFragment, _ samples: Span<MovieSample>, dataOffset: Int, into writer: inout ByteWriter
  ) {
    guard !samples.isEmpty else { return }
    let layout =
      hasKeyframeTable ? TrackRunLayout.offsetDurationsSizesAndFlags : TrackRunLayout.offsetDurationsAndSizes
    encodeTrackFragment(.video, layout, startTicks: fragment.videoStartTicks, into: &writer) { writer in
      encodeRunStart(entryCount: samples.count, dataOffset: dataOffset, into: &writer)
      for index in samples.indices {
        encodeRunEntry(samples[index], into: &writer)
        guard hasKeyframeTable else { continue }
        writer.big32(samples[index].isKeyframe ? SampleFlags.keyframe : SampleFlags.dependent)
      }
    }
  }

  private func encodeAudioFragment(_ fragment: MovieFragment, dataOffset: Int, into writer: inout ByteWriter) {
    guard let audio, fragment.audioFrameCount > 0 else { return }
    let packetCount = MovieLimits.audioPacketCount(frameCount: fragment.audioFrameCount)
    let layout = TrackRunLayout.offsetDurationsAndSizes
    encodeTrackFragment(.audio, layout, startTicks: fragment.audioStartTicks, into: &writer) { writer in
      encodeRunStart(entryCount: packetCount, dataOffset: dataOffset, into: &writer)
      var remaining = fragment.audioFrameCount
      while remaining > 0 {
        let frames = min(remaining, MovieLimits.audioFramesPerPacket)
        let packet = MovieSample(byteCount: UInt32(frames * audio.bytesPerFrame), durationTicks: UInt32(frames))
        encodeRunEntry(packet, into: &writer)
        remaining -= frames
      }
    }
  }

  /// ISO/IEC 14496-12, 8.8.6, 8.8.7 and 8.8.12: data offsets count from the `moof`, times have 64 bits.
  private func encodeTrackFragment(
    _ track: MovieTrack, _ layout: UInt32, startTicks: UInt64, into writer: inout ByteWriter,
    _ run: (inout ByteWriter) -> Void
  ) {
    writer.box("traf") { writer in
      writer.fullBox("tfhd", flags: TrackRunLayout.defaultBaseIsMovieFragment) { writer in
        writer.big32(track.rawValue)
      }
      writer.fullBox("tfdt", version: 1) { writer in writer.big64(startTicks) }
      writer.fullBox("trun", flags: layout, run)
    }
  }

  private func encodeRunStart(entryCount: Int, dataOffset: Int, into writer: inout ByteWriter) {
    writer.big32(UInt32(entryCount))
    writer.big32(UInt32(dataOffset))
  }

  private func encodeRunEntry(_ sample: MovieSample, into writer: inout ByteWriter) {
    writer.big32(sample.durationTicks)
    writer.big32(sample.byteCount)
  }
}
