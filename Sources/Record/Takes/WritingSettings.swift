import Base
import Configuration
import Media

/// What the configuration and the device determine about files.
package struct WritingSettings: Sendable {
  /// What a take holds, and when it goes on in a new file.
  package var record: RecordSettings
  /// How long it takes until a press of a button is known.
  package var settlingMilliseconds: UInt64
  /// Bytes that stay free on the card for other things, ``TakeLimits/leastReserveByteCount`` at least: a take ends there, complete.
  package var reserveByteCount: UInt64
  /// Written into every file.
  package var identity: DeviceIdentity
  /// Seals every take.
  package var signingKey: SigningKey
  /// Name and version of the firmware, for the files' metadata.
  package var software: StaticString

  package init(
    record: RecordSettings, settlingMilliseconds: UInt64,
    reserveByteCount: UInt64 = TakeLimits.leastReserveByteCount,
    identity: DeviceIdentity, signingKey: SigningKey, software: StaticString
  ) {
    self.record = record
    self.settlingMilliseconds = settlingMilliseconds
    self.reserveByteCount = reserveByteCount
    self.identity = identity
    self.signingKey = signingKey
    self.software = software
  }

  /// Free bytes needed to start a take: with less it would end within seconds.
  var firstByteCount: UInt64 { TakeLimits.firstByteCount(reserveByteCount: reserveByteCount) }

  /// The streams that are stored in files.
  func kept(of formats: StreamFormats) -> StreamFormats {
    StreamFormats(audio: formats.audio, video: record.content == .audio ? nil : formats.video, codec: formats.codec)
  }
}
