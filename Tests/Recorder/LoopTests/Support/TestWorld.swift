import Port
import TestSupport

/// What a test and the hardware of a ``TestHardware`` have in common: a test looks at it, and breaks it.
final class TestWorld {
  let disk = MemoryDisk()
  /// What plays, at the speaker's own rate, and what reads tags.
  let player = TestWorld.decoder()
  let prober = TestWorld.decoder()
  let view = ViewModel()
  /// Nil: the machine has none.
  var encoder: EncoderScript?
  /// Whether the camera gives raw pictures, whose brightness grows from edge to edge.
  var isCameraRaw = false
  /// Whether it gives buffers that it does not fill to whoever asks for them.
  var grantsSpareBuffers = true
  /// What the encoder was asked for last.
  var encoderRequest: VideoEncoderRequest?
  /// Whether a person types on the console.
  var isTerminal = false
  /// What the console's line takes a tick, like one of 4 KiB buffer; nil: as much as there is.
  var lineBytesPerTick: Int?
  /// What it takes before the next tick.
  var lineRoomByteCount = Int.max
  /// Typed on the console, and not yet read.
  var typed: [UInt8] = []
  /// All that the console said.
  private(set) var said: [UInt8] = []
  /// Every byte of sound that was read from the microphone; what it lost is silence.
  var heard: [UInt8] = []
  /// Whether the device fails whatever it is asked.
  var isMicrophoneGone = false
  var isCameraGone = false
  /// By how much the next sleep lasts too long.
  var oversleepNanoseconds: UInt64 = 0

  /// Between two ticks the line sends what it has taken.
  func passTick() {
    lineRoomByteCount = lineBytesPerTick.map { min(min(lineRoomByteCount, 4_096) + $0, 4_096) } ?? .max
  }

  func say(_ bytes: [UInt8]) { said += bytes }

  func type(_ lines: String) { typed += Array(lines.utf8) }

  /// What the console said, line by line.
  var lines: [String] { String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init) }

  private static func decoder() -> DecoderModel {
    let model = DecoderModel(ringFrames: 48_000, sampleRateHz: 48_000)
    model.isInStep = true
    return model
  }

  static func failure(_ device: Device) -> DeviceFailure {
    DeviceFailure(device: device, kind: .absent, subject: "", problem: "was unplugged by a test", remedy: "plug it in")
  }
}
