import Formats
import Values

/// What the configuration and the device say of files.
public struct WritingSettings: Sendable {
  /// Whether takes have sound alone, whatever the camera delivers.
  public var recordsAudioOnly: Bool
  /// For takes without pictures.
  public var audioContainer: AudioContainer
  /// How much of a take is written and made safe as one.
  public var stretchMilliseconds: UInt64
  /// A new file starts before one gets larger than this; 0 for never.
  public var splitByteCount: UInt64
  /// A new file starts when one has got this long; 0 for never.
  public var splitSeconds: UInt64
  /// What the rings keep while nothing is recorded.
  public var prerollSeconds: UInt64
  /// Written into every file.
  public var identity: DeviceIdentity
  /// Name and version of the firmware, for the files' metadata.
  public var software: StaticString

  /// All of them.
  public init(
    recordsAudioOnly: Bool, audioContainer: AudioContainer, stretchMilliseconds: UInt64, splitByteCount: UInt64,
    splitSeconds: UInt64, prerollSeconds: UInt64, identity: DeviceIdentity, software: StaticString
  ) {
    self.recordsAudioOnly = recordsAudioOnly
    self.audioContainer = audioContainer
    self.stretchMilliseconds = stretchMilliseconds
    self.splitByteCount = splitByteCount
    self.splitSeconds = splitSeconds
    self.prerollSeconds = prerollSeconds
    self.identity = identity
    self.software = software
  }

  /// Which of the streams end up in files.
  func kept(of formats: StreamFormats) -> StreamFormats {
    StreamFormats(audio: formats.audio, video: recordsAudioOnly ? nil : formats.video, codec: formats.codec)
  }
}
