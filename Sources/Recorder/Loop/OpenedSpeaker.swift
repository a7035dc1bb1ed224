import Port
import Configuration
import Values

/// What came of opening the speaker.
struct OpenedSpeaker {
  /// What it agreed to; without a speaker what was asked of it, for the decoder has to know one.
  var format: AudioFormat
  /// Whether it is open.
  var isOpen: Bool { failure == nil && isWanted }
  var failure: DeviceFailure?
  private let isWanted: Bool

  /// Opens it, where there is to be one.
  init(_ machine: inout some Hardware & ~Copyable, settings: Settings) {
    isWanted = settings.speaker.deviceName != nil
    format = AudioFormat(
      sampleRateHz: settings.speaker.sampleRateHz, channelCount: settings.speaker.channelCount,
      sampleFormat: settings.speaker.sampleFormat ?? .int16)
    guard let request = settings.speakerRequest else { return }
    do throws(DeviceFailure) {
      format = try machine.speaker.open(request)
    } catch {
      failure = error
    }
  }
}
