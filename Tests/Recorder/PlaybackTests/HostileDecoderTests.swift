import Base
import Machine
import TestSupport
import Testing
import Wire

@testable import Playback

@Suite struct HostileDecoderTests {
  /// A player whose reports come from a test instead of the worker.
  @safe private final class BareRig {
    let card = CardModel(format: PlayerRig.frames, bufferFrames: 9600)
    let memory: UnsafeMutableRawBufferPointer
    var player: Player
    var speaker: SharedDevice<ScriptedSpeaker>
    var deviceWorker: LentDevice<ScriptedSpeaker>
    var requests: QueueConsumer<DecoderRequest>
    var reports: QueueProducer<DecoderReport>

    init() throws {
      unsafe memory = .allocate(byteCount: 48_000 * 4, alignment: 4096)
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
      var boot = leakedBootMemory(byteCount: 1_000_000)
      speaker = try SharedDevice(ScriptedSpeaker(card), in: &boot)
      deviceWorker = speaker.workerEnd
      let requests = try unwrapped(Queue<DecoderRequest>(capacity: 32, in: &boot))
      let reports = try unwrapped(Queue<DecoderReport>(capacity: 96, in: &boot))
      self.requests = requests.consumer
      self.reports = reports.producer
      player = try unsafe unwrapped(
        Player(
          requests: requests.producer, reports: reports.consumer, ring: UnsafeRawBufferPointer(memory),
          format: PlayerRig.frames,
          speaker: SoundCardRequest(
            deviceName: "", sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16, bufferMilliseconds: 200),
          isSpeakerOpen: false, queueCapacity: 4, in: &boot))
    }
  }

  private func near(_ frame: UInt64, _ random: inout SeededGenerator) -> UInt64 {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: UInt64.random(in: 0 ... .max, using: &random)
    case 1: .max
    case 2: frame &+ UInt64.random(in: 0...100_000, using: &random)
    default: frame &+ UInt64.random(in: 0...2000, using: &random) &- 1000
    }
  }

  private func number(_ random: inout SeededGenerator) -> Double {
    [0, 1, 0.5, 2, -1, .nan, .infinity, 1e300, .leastNonzeroMagnitude, 3.25].randomElement(using: &random)!
  }

  private func message(_ frame: UInt64, _ requestID: UInt32, _ random: inout SeededGenerator) -> DecoderMessage {
    let requestID = Bool.random(using: &random) ? requestID : UInt32.random(in: 0...10, using: &random)
    let frame = near(frame, &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .ready
    case 1:
      var properties = ItemProperties()
      properties.durationSeconds = number(&random)
      return .opened(requestID: requestID, properties, PacketReading())
    case 2: return .refused(requestID: requestID, .damaged)
    case 3, 4:
      return .mark(
        StreamMark(ringFrame: frame, requestID: requestID, positionSeconds: number(&random), rate: number(&random)))
    case 5: return .ended(ringFrame: frame, PacketReading())
    case 6: return .titled(ringFrame: frame, title: "a", artist: "b")
    default: return .filled(endFrame: frame, PacketReading())
    }
  }

  @Test(
    "Whatever the decoder sends, the player never traps, and plays only frames that it requested",
    arguments: 0..<200 as Range<UInt64>)
  func unaskedMemory(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rig = try BareRig()
    // Requested frames are 1 in the ring; all others are 0, and must never be played.
    var requestedEnd: UInt64 = 0
    var firstFrame: UInt64 = 0
    var requestID: UInt32 = 0
    for _ in 0..<3 { try rig.player.append(MediaItem(path: "a.wav")) }
    try rig.player.play()
    for _ in 0..<120 {
      if Int.random(in: 0..<12, using: &random) == 0 { command(&rig.player, &random) }
      while let request = rig.requests.pop() {
        switch request.order {
        case .open(let opened, let frame, _):
          // A continuation leaves the filled frames in the ring.
          let isFollowing = frame <= requestedEnd
          for index in isFollowing ? frame..<requestedEnd : 0..<48_000 {
            unsafe rig.memory.storeBytes(of: 0, toByteOffset: Int(index % 48_000) * 4, as: UInt32.self)
          }
          (requestID, firstFrame, requestedEnd) = (opened, frame, frame)
          honest(&rig.reports, .opened(requestID: requestID, Self.properties, PacketReading()), &random)
        case .openNext(let next):
          honest(&rig.reports, .opened(requestID: next, Self.properties, PacketReading()), &random)
        case .seek(let seconds, let frame):
          (firstFrame, requestedEnd) = (frame, frame)
          unsafe rig.memory.initializeMemory(as: UInt8.self, repeating: 0)
          let mark = StreamMark(ringFrame: frame, requestID: requestID, positionSeconds: seconds, rate: 1)
          honest(&rig.reports, .mark(mark), &random)
        case .fill(let end):
          for frame in requestedEnd..<max(end, requestedEnd) {
            unsafe rig.memory.storeBytes(of: 1, toByteOffset: Int(frame % 48_000) * 4, as: UInt32.self)
          }
          requestedEnd = max(requestedEnd, end)
          honest(&rig.reports, .filled(endFrame: end, PacketReading()), &random)
        default: break
        }
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        _ = rig.reports.push(.message(message(requestedEnd, requestID, &random)))
      }
      _ = rig.reports.push(.message(.searching))
      rig.card.advance(frameCount: 960)
      rig.player.step(&rig.speaker, at: rig.card.now)
      _ = rig.deviceWorker.step()
      while rig.player.nextEvent() != nil {}
      let (cursor, filledEnd) = (rig.player.session.feed.cursor, rig.player.session.feed.filledEnd)
      let orderedEnd = rig.player.session.feed.requestedEnd
      #expect(cursor <= filledEnd && filledEnd <= orderedEnd)
      #expect(orderedEnd - rig.player.heardFrame <= 24_000)
      #expect(rig.player.status.positionSeconds >= 0)
    }
    #expect(firstFrame > 0)
    #expect(!rig.card.heardNumbers.contains(0))
  }

  private static var properties: ItemProperties {
    var properties = ItemProperties()
    properties.durationSeconds = 10
    return properties
  }

  /// The answer is usually honest; otherwise nothing would ever play.
  private func honest(
    _ reports: inout QueueProducer<DecoderReport>, _ message: DecoderMessage, _ random: inout SeededGenerator
  ) {
    if Int.random(in: 0..<5, using: &random) > 0 { _ = reports.push(.message(message)) }
  }

  private func command(_ player: inout Player, _ random: inout SeededGenerator) {
    do throws(PlayerRefusal) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2: try player.play()
      case 3: try player.pause()
      case 4: try player.seek(seconds: Double.random(in: 0...10, using: &random))
      case 5: try player.goToNext()
      case 6: try player.go(toItem: Int.random(in: 0...2, using: &random))
      default: try player.stop()
      }
    } catch {}
  }
}
