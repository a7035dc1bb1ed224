import Board
import Media
import Text

/// What is asked of a card in either direction; the nearest that it offers is taken.
struct CardWish {
  /// How often the card is asked to report: often enough that most looks find something new.
  static let periodMicroseconds: UInt32 = 10_000

  var deviceName: FixedText<64>
  var sampleRateHz: UInt32
  var channelCount: UInt16
  /// Nil: the best that the card offers.
  var sampleFormat: SampleFormat?
  var bufferMilliseconds: UInt32

  init(_ request: MicrophoneRequest) {
    deviceName = request.deviceName
    sampleRateHz = request.sampleRateHz
    channelCount = request.channelCount
    sampleFormat = request.sampleFormat
    bufferMilliseconds = request.bufferMilliseconds
  }

  init(_ request: SpeakerRequest) {
    deviceName = request.deviceName
    sampleRateHz = request.sampleRateHz
    channelCount = request.channelCount
    sampleFormat = request.sampleFormat
    bufferMilliseconds = request.bufferMilliseconds
  }
}
