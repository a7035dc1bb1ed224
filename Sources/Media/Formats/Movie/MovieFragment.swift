import Base

/// A fragment (`moof` and `mdat`): a piece of the movie that is written, and survives a power cut, as a whole.
///
/// In the file it has padding as ``FragmentPlace`` requires, the fragment's header, then all its pictures, then all its
/// audio. Write everything but the first sector of the header and synchronise, then write that sector: whatever a
/// header refers to is then in the file. A power cut in between leaves zeros instead of the header, and players stop
/// there.
package struct MovieFragment: Equatable, Sendable {
  /// 1 for the first fragment, increasing by 1.
  package var sequenceNumber: UInt32
  /// When the first picture is shown; the movie's first picture is at 0.
  package var videoStartTicks: UInt64
  /// The position of the first audio frame; the movie's first is 0, and there are no gaps.
  package var audioStartTicks: UInt64
  /// 0…``MovieLimits/audioFramesPerFragment``.
  package var audioFrameCount: Int

  /// A fragment whose pictures are given when its header is encoded.
  package init(sequenceNumber: UInt32, videoStartTicks: UInt64, audioStartTicks: UInt64, audioFrameCount: Int) {
    self.sequenceNumber = sequenceNumber
    self.videoStartTicks = videoStartTicks
    self.audioStartTicks = audioStartTicks
    self.audioFrameCount = audioFrameCount
  }
}

/// A picture of the video track, as listed in a fragment.
package struct MovieSample: BitwiseCopyable, Equatable, Sendable {
  /// The size of the picture in the file.
  package var byteCount: UInt32
  /// How long it is shown, in ticks of ``MovieDescription/timescale``. For a fragment's last picture this is a
  /// forecast: in the finished file it ends when the next fragment starts.
  package var durationTicks: UInt32
  /// Whether it can be decoded without earlier ones.
  package var isKeyframe: Bool

  package init(byteCount: UInt32, durationTicks: UInt32, isKeyframe: Bool = true) {
    self.byteCount = byteCount
    self.durationTicks = durationTicks
    self.isKeyframe = isKeyframe
  }
}

/// Flags for a sample's independence (ISO/IEC 14496-12, 8.8.3.1).
enum SampleFlags {
  /// `sample_depends_on` 2: it needs no other sample.
  static var keyframe: UInt32 { 2 << 24 }

  /// `sample_depends_on` 1 and `sample_is_non_sync_sample`.
  static var dependent: UInt32 { 1 << 24 | 1 << 16 }
}

/// The flags of a track fragment. Only these are written, and repair accepts only these.
enum TrackRunLayout {
  /// ISO/IEC 14496-12, 8.8.7: `default-base-is-moof`.
  static var defaultBaseIsMovieFragment: UInt32 { 0x02_0000 }

  /// ISO/IEC 14496-12, 8.8.8: `data-offset-present`, `sample-duration-present`, `sample-size-present`.
  static var offsetDurationsAndSizes: UInt32 { 0x00_0001 | 0x00_0100 | 0x00_0200 }

  /// The same, and `sample-flags-present`: each entry says whether it is a keyframe, as a fragment may have one
  /// anywhere or none.
  static var offsetDurationsSizesAndFlags: UInt32 { offsetDurationsAndSizes | 0x00_0400 }

  /// The size of an entry without flags: duration and size.
  static var entryByteCount: Int { 8 }

  static var flaggedEntryByteCount: Int { 12 }
}

/// The tracks of our movies by track ID.
enum MovieTrack: UInt32 {
  case video = 1
  case audio = 2
  /// Only in a finished movie.
  case timecode = 3
  /// Only in a finished movie with marks.
  case chapters = 4

  static var nextFreeNumber: UInt32 { 5 }
}

/// Where a fragment is in the file: padding, header (`moof` and the header of `mdat`), media data.
///
/// A disk writes a single sector whole or not at all, but may lose any of several. Players reject a whole file if one
/// header is torn. So the first ``lastByteCount`` bytes of the header are within one sector and are written last, once
/// the rest of the fragment is safe. A reader then finds either the header or zeros, at which players stop.
package struct FragmentPlace: Equatable, Sendable {
  /// Where the previous fragment ends.
  package let start: UInt64
  /// The size of the `free` box before the header: 0, or 8…``longestPaddingByteCount``.
  package let paddingByteCount: Int
  package let headerByteCount: Int

  /// The first possible place after `end` for a fragment with a header of this size.
  package init(behind end: UInt64, headerByteCount: Int) {
    start = end
    self.headerByteCount = headerByteCount
    let sector = MovieLimits.sectorByteCount
    let left = sector - Int(end % UInt64(sector))
    let isFitting = min(headerByteCount, sector) <= left
    // A box has at least the eight bytes of its own header.
    paddingByteCount = isFitting ? 0 : left < 8 ? left + sector : left
  }

  package var headerStart: UInt64 { start + UInt64(paddingByteCount) }
  package var mediaStart: UInt64 { headerStart + UInt64(headerByteCount) }
  /// How much of the header is written last: all that fits in a sector.
  package var lastByteCount: Int { min(headerByteCount, MovieLimits.sectorByteCount) }
  /// Those bytes, as offsets from ``start``.
  package var lastRange: Range<Int> { paddingByteCount..<paddingByteCount + lastByteCount }

  /// Up to 7 bytes of one sector, and all of the next.
  static var longestPaddingByteCount: Int { MovieLimits.sectorByteCount + 7 }

  /// The size of the padding at the start of `bytes`; 0 if there is none.
  static func paddingByteCount(of bytes: RawSpan) -> Int {
    guard let box = bytes.box(in: 0..<bytes.byteCount), box.type == "free",
      box.range.count <= longestPaddingByteCount
    else { return 0 }
    return box.range.count
  }
}

extension MovieDescription {
  /// Where the next fragment after `end` is placed. This depends only on the counts, so that the media data can be
  /// written before the header.
  package func fragmentPlace(behind end: UInt64, videoSampleCount: Int, audioFrameCount: Int) -> FragmentPlace {
    FragmentPlace(
      behind: end,
      headerByteCount: fragmentHeaderByteCount(videoSampleCount: videoSampleCount, audioFrameCount: audioFrameCount))
  }

  /// Writes the bytes between ``FragmentPlace/start`` and the media data: the padding and the header. They are written
  /// together with the media data, with zeros in ``FragmentPlace/lastRange``. At most
  /// ``MovieLimits/fragmentStartByteCount`` bytes.
  @export(interface)
  package func encodeFragmentStart(
    _ fragment: MovieFragment, videoSamples: Span<MovieSample>, at place: FragmentPlace, into writer: inout ByteWriter
  ) {
    if place.paddingByteCount > 0 {
      writer.box("free") { writer in writer.zeros(place.paddingByteCount - 8) }
    }
    encodeFragmentHeader(fragment, videoSamples: videoSamples, into: &writer)
  }
}
