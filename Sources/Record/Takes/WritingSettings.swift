import Base
import Media

/// What the configuration and the device determine about files.
package struct WritingSettings: Sendable {
  /// Whether takes have only sound, even if there is a camera.
  package var recordsAudioOnly: Bool
  /// The container of takes without pictures.
  package var audioContainer: AudioContainer
  /// The length of a fragment.
  package var fragmentMilliseconds: UInt64
  /// How long it takes until a press of a button is known.
  package var settlingMilliseconds: UInt64
  /// A new file starts before one gets larger than this; 0 for never.
  package var splitByteCount: UInt64
  /// A new file starts when one has got this long; 0 for never.
  package var splitSeconds: UInt64
  /// How much the rings keep while nothing is recorded.
  package var prerollSeconds: UInt64
  /// For how long the rings can hold what is recorded while the card does not answer.
  package var stallSeconds: UInt64
  /// Bytes that stay free on the card for other things, ``TakeLimits/leastReserveByteCount`` at least: a take ends there, complete.
  package var reserveByteCount: UInt64
  /// Written into every file.
  package var identity: DeviceIdentity
  /// Seals every take.
  package var signingKey: SigningKey
  /// Name and version of the firmware, for the files' metadata.
  package var software: StaticString

  package init(
    recordsAudioOnly: Bool, audioContainer: AudioContainer, fragmentMilliseconds: UInt64,
    settlingMilliseconds: UInt64, splitByteCount: UInt64, splitSeconds: UInt64, prerollSeconds: UInt64,
    stallSeconds: UInt64,
    reserveByteCount: UInt64 = TakeLimits.leastReserveByteCount,
    identity: DeviceIdentity, signingKey: SigningKey, software: StaticString
  ) {
    self.recordsAudioOnly = recordsAudioOnly
    self.audioContainer = audioContainer
    self.fragmentMilliseconds = fragmentMilliseconds
    self.settlingMilliseconds = settlingMilliseconds
    self.splitByteCount = splitByteCount
    self.splitSeconds = splitSeconds
    self.prerollSeconds = prerollSeconds
    self.stallSeconds = stallSeconds
    self.reserveByteCount = reserveByteCount
    self.identity = identity
    self.signingKey = signingKey
    self.software = software
  }

  var split: SplitSettings { SplitSettings(byteCount: splitByteCount, seconds: splitSeconds) }

  /// Free bytes needed to start a take: with less it would end within seconds.
  var firstByteCount: UInt64 { TakeLimits.firstByteCount(reserveByteCount: reserveByteCount) }

  /// The streams that are stored in files.
  func kept(of formats: StreamFormats) -> StreamFormats {
    StreamFormats(audio: formats.audio, video: recordsAudioOnly ? nil : formats.video, codec: formats.codec)
  }
}
