import Board
import Configuration
import Formats
import Media
import Playback
import Takes
import Text

extension Settings {
  var microphoneRequest: SoundCardRequest {
    SoundCardRequest(
      deviceName: audio.deviceName, sampleRateHz: audio.sampleRateHz, channelCount: audio.channelCount,
      sampleFormat: audio.sampleFormat, bufferMilliseconds: audio.bufferMilliseconds)
  }

  /// Nil where nothing is to sound.
  var speakerRequest: SoundCardRequest? { speaker.deviceName == nil ? nil : playerSpeakerRequest }

  /// For a player that has a speaker, or is never asked to play.
  var playerSpeakerRequest: SoundCardRequest {
    SoundCardRequest(
      deviceName: speaker.deviceName ?? "none", sampleRateHz: speaker.sampleRateHz, channelCount: speaker.channelCount,
      sampleFormat: speaker.sampleFormat, bufferMilliseconds: speaker.bufferMilliseconds)
  }

  var standbyTone: Tone { Tone(hertz: tone.standbyFrequencyHz, levelDecibels: tone.levelDecibels) }

  /// What is asked of the camera.
  public var cameraRequest: CameraRequest {
    CameraRequest(
      deviceName: video.deviceName, size: video.size, descends: video.ownSize == nil,
      frameRate: FrameRate(frames: video.framesPerSecond), pixelFormat: video.pixelFormat)
  }

  /// The format that memory is planned for when no card tells its own: the largest that was asked for.
  var requestedAudioFormat: AudioFormat {
    AudioFormat(
      sampleRateHz: audio.sampleRateHz, channelCount: audio.channelCount,
      sampleFormat: audio.sampleFormat ?? .float32)
  }

  func writingSettings(identity: DeviceIdentity, software: StaticString) -> WritingSettings {
    WritingSettings(
      recordsAudioOnly: record.content == .audio, audioContainer: record.audioContainer,
      stretchMilliseconds: UInt64(record.fragmentMilliseconds), splitByteCount: record.splitByteCount,
      splitSeconds: UInt64(record.splitSeconds), prerollSeconds: UInt64(record.prerollSeconds), identity: identity,
      software: software)
  }
}
