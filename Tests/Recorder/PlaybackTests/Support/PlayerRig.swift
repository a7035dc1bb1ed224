import Base
import Machine
import Playback
import TestSupport
import Wire

/// A player with a worker, a scripted decoder and a scripted card, clocked by exchanges of 20 ms.
final class PlayerRig {
  let format: AudioFormat
  let decoder: DecoderModel
  let card: CardModel
  var player: Player
  var speaker: SharedDevice<ScriptedSpeaker>
  var deviceWorker: LentDevice<ScriptedSpeaker>
  var worker: DecoderWorker
  private(set) var events: [PlayerEvent] = []
  /// Whether the worker's thread is starved.
  var isWorkerStopped = false
  /// Whether driver calls do not return.
  var isDeviceWorkerStopped = false

  static let frames = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)

  init(format: AudioFormat = PlayerRig.frames, bufferMilliseconds: Int = 200, queueCapacity: Int = 20, seed: UInt64 = 0)
    throws
  {
    self.format = format
    let rate = Int(format.sampleRateHz)
    card = CardModel(format: format, bufferFrames: rate * bufferMilliseconds / 1000)
    decoder = DecoderModel(ringFrames: 2 * rate, sampleRateHz: Double(rate))
    var memory = leakedBootMemory()
    speaker = try SharedDevice(ScriptedSpeaker(card), in: &memory)
    deviceWorker = speaker.workerEnd
    let requests = try unwrapped(Queue<DecoderRequest>(capacity: PlaybackLimits.requestCapacity, in: &memory))
    let reports = try unwrapped(Queue<DecoderReport>(capacity: PlaybackLimits.reportCapacity, in: &memory))
    worker = DecoderWorker(
      decoder: ScriptedDecoder(decoder), requests: requests.consumer, reports: reports.producer)
    player = try unsafe unwrapped(
      Player(
        requests: requests.producer, reports: reports.consumer, ring: UnsafeRawBufferPointer(decoder.ring),
        format: format,
        speaker: SoundCardRequest(
          deviceName: "hw:0", sampleRateHz: format.sampleRateHz, channelCount: format.channelCount,
          sampleFormat: format.sampleFormat, bufferMilliseconds: UInt32(bufferMilliseconds)),
        isSpeakerOpen: false, queueCapacity: queueCapacity, seed: seed, in: &memory))
    exchange()
  }

  /// Creates a file of numbered frames.
  @discardableResult
  func file(_ path: String, firstNumber: UInt32 = 1, seconds: Double, refusal: DecoderRefusal? = nil) -> MediaItem {
    let frameCount = Int((seconds * Double(format.sampleRateHz)).rounded())
    decoder.files[path] = ScriptedFile(firstNumber: firstNumber, frameCount: frameCount, refusal: refusal)
    return MediaItem(path: FixedText(path))
  }

  /// The card plays for 20 ms, then the player and the worker take a step.
  func exchange(_ count: Int = 1, frameCount: Int? = nil) {
    for _ in 0..<count {
      card.advance(frameCount: frameCount ?? Int(format.sampleRateHz) / 50)
      player.step(&speaker, at: card.now)
      if !isDeviceWorkerStopped { _ = deviceWorker.step() }
      if !isWorkerStopped { work() }
      while let event = player.nextEvent() { events.append(event) }
    }
  }

  func work() {
    for _ in 0..<100 where !worker.step(at: card.now) { return }
  }

  /// Exchanges until the player reaches a state.
  func exchange(until state: PlayerState, atMost count: Int = 1000) -> Bool {
    for _ in 0..<count {
      if player.state == state { return true }
      exchange()
    }
    return player.state == state
  }

  /// The frame numbers that were heard, without silence.
  var heard: [UInt32] { card.heardNumbers.filter { $0 != 0 } }

  /// The first difference between what was heard and what was expected; nil if there is none.
  func heardDifference(from expected: [UInt32]) -> String? {
    let heard = heard
    guard heard != expected else { return nil }
    let index = zip(heard, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    guard let index else { return "\(heard.count) frames, not \(expected.count)" }
    return "frame \(index) is \(heard[index]), not \(expected[index])"
  }

  var stateNames: [String] {
    events.compactMap { event in
      if case .stateChanged(let state) = event { "\(state.name)" } else { nil }
    }
  }

  var eventLines: [String] { events.map { String($0.line) } }
}
