import Base

/// The file types for a take without pictures.
package enum AudioContainer: UInt8, BitwiseCopyable, Sendable {
  /// AIFF 1.3; for `float32` AIFF-C with compression type `fl32`.
  case aiff
  /// Apple's Core Audio Format 1.0.
  case caf
  /// The Free Lossless Audio Codec (RFC 9639): sample-exact, in about half the room.
  case flac
  /// Broadcast Wave (EBU Tech 3285); from 4 GiB, RF64 (EBU Tech 3306).
  case wav

  /// Also its name in the configuration.
  package var fileExtension: StaticString {
    switch self {
    case .aiff: "aiff"
    case .caf: "caf"
    case .flac: "flac"
    case .wav: "wav"
    }
  }

  /// Whether samples must be swapped between the little-endian ring and the file.
  package var needsBigEndianSamples: Bool { self == .aiff }

  /// The most audio that a file can hold. AIFF counts all its bytes, including header, hashes and ledger, in 32 bits.
  package var maximumDataByteCount: UInt64 {
    switch self {
    case .aiff:
      UInt64(UInt32.max)
        - UInt64(AudioFileDescription.headerByteCount + HashListCoding.mostByteCount + LedgerCoding.codedByteCount)
    case .caf, .flac, .wav: UInt64(Int64.max) - dataStart
    }
  }

  /// Zero bytes after the audio of a finished file: AIFF and WAV keep chunks at even lengths (EA IFF 85, "Chunks"). CAF
  /// does not.
  package func paddingByteCount(dataByteCount: UInt64) -> Int {
    self == .caf || self == .flac ? 0 : Int(dataByteCount % 2)
  }

  /// Where a file's sound starts. Before that a FLAC file, which can have nothing after its sound, has room for hashes
  /// (``HashListCoding/mostEntries(in:)``) and ledger.
  package var dataStart: UInt64 { self == .flac ? 131_072 : UInt64(AudioFileDescription.headerByteCount) }
}

/// CoreAudio's channel layout tags (`AudioChannelLayoutTag`), as in MOV and CAF.
enum ChannelLayoutTag {
  /// One channel is mono, two are left and right; the arrangement of more is unknown.
  static func tag(channelCount: UInt16) -> UInt32 {
    let mono: UInt32 = 100
    let stereo: UInt32 = 101
    let discreteInOrder: UInt32 = 147
    let layout =
      switch channelCount {
      case 1: mono
      case 2: stereo
      default: discreteInOrder
      }
    return layout << 16 | UInt32(channelCount)
  }
}
