/// The largest sizes of the parts of a movie, with the arithmetic.
package enum MovieLimits {
  /// One second at 120 pictures per second, the fastest that a camera for this machine delivers.
  package static var videoSamplesPerFragment: Int { 120 }

  /// Audio is listed in packets of this many frames (85 ms at 48 kHz): one entry for each PCM frame would make players
  /// hold gigabytes of index for an unfinished hour. Finished files count in frames, as QuickTime wants.
  package static var audioFramesPerPacket: Int { 4_096 }

  /// 48 packets are 196,608 frames: a second at 192 kHz.
  package static var audioPacketsPerFragment: Int { 48 }

  /// 196,608: the last packet may be short, so every count up to this one fits.
  package static var audioFramesPerFragment: Int { audioFramesPerPacket * audioPacketsPerFragment }

  /// A finished movie counts samples in 32 bits: 24.8 h at 48 kHz, 6.2 h at 192 kHz. Split before that.
  package static var audioFramesPerMovie: UInt64 { UInt64(UInt32.max) }

  /// `ftyp`, the reserved `free`, and the first `moov` with both tracks, dates after 2040 and the longest software
  /// name: 1,930 bytes with JPEG. H.264 adds an empty keyframe table of 16, and an `avcC` of 23 with two parameter sets
  /// of 256: 2,481. The link to the take's first file is a key and an item of at most 33 + 56 more, the place one of
  /// 44 + 24 + 23: 2,661.
  package static var headerByteCount: Int { 2_664 }

  /// `moof` and the following header of the `mdat` with both tracks full:
  /// moof 8 + mfhd 16 + 2 × traf 64 + 120 pictures × 12 + 48 packets × 8 + mdat 8 = 1,984.
  package static var fragmentHeaderByteCount: Int {
    let pictures = videoSamplesPerFragment * TrackRunLayout.flaggedEntryByteCount
    let packets = audioPacketsPerFragment * TrackRunLayout.entryByteCount
    return fragmentHeaderByteCount(trackCount: 2, entriesByteCount: pictures + packets)
  }

  /// What a card writes whole or not at all. Cards that work in 4,096 bytes also keep each 512 of them whole.
  package static var sectorByteCount: Int { 512 }

  /// The longest padding before a fragment and its header: 519 + 1,984 = 2,503.
  package static var fragmentStartByteCount: Int {
    FragmentPlace.longestPaddingByteCount + fragmentHeaderByteCount
  }

  /// The scratch of ``MovieFinisher``: the header is the largest piece that it handles at once, and a piece is compared
  /// with the file's contents: 2 × 2,664 = 5,328.
  package static var finisherScratchByteCount: Int { 2 * headerByteCount }

  /// How often ``MovieFinisher`` reads an inconsistent movie before it accepts the result: a card that returns one
  /// wrong read is not believed twice.
  static var readingsPerMovie: Int { 2 }

  static func fragmentHeaderByteCount(trackCount: Int, entriesByteCount: Int) -> Int {
    let movieFragment = 8 + 16
    let trackFragment = 8 + 16 + 20 + 20
    let mediaDataHeader = 8
    return movieFragment + trackCount * trackFragment + entriesByteCount + mediaDataHeader
  }

  static func audioPacketCount(frameCount: Int) -> Int {
    (frameCount + audioFramesPerPacket - 1) / audioFramesPerPacket
  }
}
