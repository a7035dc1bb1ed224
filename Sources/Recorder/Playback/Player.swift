import Port
import Decoding
import Values
import Rings
import Text

/// Plays items: orders their sound from the decoder, and gives it to the card. It belongs to the loop, which calls
/// ``step(_:atNanoseconds:)`` every 20 ms, and never waits.
///
/// Every frame stays in the ring until it was heard, so that playing goes on after a pause, or after the card went
/// away, with exactly the frame that comes next. When a card goes away, what it sounded since the last look is not
/// known, and is heard again: an exchange's worth at most.
public struct Player: ~Copyable {
  /// Where it is between a file and the ear.
  public internal(set) var state = PlayerState.none
  /// What is played one after the other.
  public internal(set) var queue: PlayQueue

  var requests: QueueProducer<DecoderRequest>
  var reports: QueueConsumer<DecoderReport>
  var events: Queue<PlayerEvent>
  let ring: SharedRing
  var scratch: FixedBuffer
  let format: AudioFormat
  let speakerRequest: SoundCardRequest
  let standbyTone: Tone

  var now: UInt64 = 0
  /// What `prepare` and `play` open when nothing is open.
  public internal(set) var chosen: MediaItem?
  var current: PlayedItem?
  /// What follows `current` without a gap: announced to the decoder, or in the ring already.
  var next: PlayedItem?
  /// The item of the queue that is announced after that.
  var upcomingIndex = 0
  var lastTicket: UInt32 = 0

  var link = DecoderLink.closed
  /// The item that the last frames of the ring are of.
  var decodingTicket: UInt32 = 0
  /// The item that the decoder fell over last, and the end of the ring then.
  var lastFall: (ticket: UInt32, ringFrame: UInt64)?
  var feed = FrameFeed()
  /// The place of `feed.firstFrame`, until a mark tells it.
  var firstSeconds = 0.0
  var reading = PacketReading()

  var card: CardPhase
  var ledger = CardLedger()
  var shaper: SoundShaper
  var underrunCount: UInt64 = 0

  var volume = 1.0
  var rate = 1.0
  var section = SectionMarking.off
  var tone: Tone?
  var isStandby = false

  /// When a cued start is to be.
  var cueNanoseconds: UInt64 = 0
  /// A start that was made and not measured yet, and how much the card had been given before it.
  var unmeasuredStart: (askedNanoseconds: UInt64, givenFrames: UInt64)?
  var startErrorNanoseconds: Int64?

  /// What a player takes of boot memory.
  public static func byteCount(format: AudioFormat, queueCapacity: Int = PlaybackLimits.queueCapacity) -> Int {
    PlayQueue.byteCount(capacity: queueCapacity) + Queue<PlayerEvent>.byteCount(capacity: eventCapacity)
      + BootMemory.footprint(byteCount: scratchFrames * format.bytesPerFrame)
  }

  /// A player with nothing open.
  /// - Parameters:
  ///   - requests: to the decoder's worker, with room for ``PlaybackLimits/requestCapacity`` of them.
  ///   - reports: from it.
  ///   - ring: the decoder's PCM ring.
  ///   - format: of the frames in it, and of the card.
  ///   - speaker: how the card is opened when it was gone.
  ///   - isSpeakerOpen: whether the card is open already; else the first step opens it.
  ///   - volume: to begin with, 0.0…1.0.
  ///   - standbyTone: what sounds in standby; its level only until a tone was set.
  /// - Returns: nil when `memory` has not ``byteCount(format:queueCapacity:)`` left.
  public init?(
    requests: consuming QueueProducer<DecoderRequest>, reports: consuming QueueConsumer<DecoderReport>,
    ring: UnsafeRawBufferPointer, format: AudioFormat, speaker: SoundCardRequest, isSpeakerOpen: Bool,
    standbyTone: Tone = Tone(hertz: 523.25, levelDecibels: -20), volume: Double = 1,
    queueCapacity: Int = PlaybackLimits.queueCapacity, in memory: inout BootMemory
  ) {
    precondition(
      ring.count >= PlaybackLimits.leastRingByteCount(format), "the decoder's ring is too small for its format")
    guard let queue = PlayQueue(capacity: queueCapacity, in: &memory),
      let events = Queue<PlayerEvent>(capacity: Self.eventCapacity, in: &memory),
      let scratch = FixedBuffer(byteCount: Self.scratchFrames * format.bytesPerFrame, in: &memory)
    else { return nil }
    self.queue = queue
    self.events = events
    self.scratch = scratch
    self.requests = requests
    self.reports = reports
    self.ring = unsafe SharedRing(memory: ring, bytesPerFrame: format.bytesPerFrame)
    self.format = format
    speakerRequest = speaker
    self.standbyTone = standbyTone
    self.volume = volume
    shaper = SoundShaper(format: format, volume: volume)
    card = isSpeakerOpen ? .still : .closed(retryNanoseconds: 0, failure: nil)
  }

  /// One exchange with the card and the decoder's worker.
  /// - Parameter now: monotonic time.
  public mutating func step(_ speaker: inout some Speaker & ~Copyable, atNanoseconds now: UInt64) {
    self.now = now
    readReports()
    drive(&speaker)
    noticeWhatIsHeard()
    followQueue()
    requestFrames()
  }

  /// The next thing that a listener is to be told; nil when that is all. To be asked until then after each step.
  public mutating func nextEvent() -> PlayerEvent? { events.consumer.pop() }

  /// How it is, at the last exchange with the card.
  public var status: PlayerStatus {
    PlayerStatus(
      state: state, item: current?.item, properties: current?.properties, reading: reading,
      positionSeconds: current == nil ? 0 : positionSeconds(of: heardFrame),
      durationSeconds: current?.item.durationSeconds ?? 0, volume: volume, rate: rate, section: section,
      tone: soundingTone, isStandby: isStandby, underrunCount: underrunCount, queueCount: queue.count,
      queueIndex: queue.index, cueNanoseconds: state == .cued || state == .preparingToCue ? cueNanoseconds : nil,
      startErrorNanoseconds: startErrorNanoseconds)
  }

  /// The next frame of the ring that will be heard.
  var heardFrame: UInt64 { feed.cursor - UInt64(ledger.soundFrames) }

  /// The place of its item that a frame of the ring is.
  func positionSeconds(of frame: UInt64) -> Double {
    guard let mark = feed.marks.mark(of: frame) else { return firstSeconds }
    let seconds = Double(frame - mark.ringFrame) * mark.rate / Double(format.sampleRateHz)
    return mark.positionSeconds + seconds
  }

  mutating func signal(_ signal: PlayerSignal) {
    let after = state.after(signal)
    guard after != state else { return }
    let isTold = after.name.utf8Bytes.equals(state.name) == false
    state = after
    if isTold { tell(.stateChanged(after)) }
  }

  /// What nobody asks for is left out when there is no more room.
  mutating func tell(_ event: PlayerEvent) { _ = events.producer.push(event) }

  mutating func send(_ order: DecoderOrder, path: FixedText<256> = "") {
    let isSent = requests.push(DecoderRequest(order, path: path))
    precondition(isSent, "an order was sent without asking whether the decoder's worker takes any")
  }

  /// Whether the worker has room for all that one command, or one report, asks of it.
  var canSend: Bool { requests.freeCount >= Self.ordersAtOnce }

  /// Opening, the rate, the section, a seek, and as many again for what a command finds under way.
  static var ordersAtOnce: Int { 8 }
  private static var eventCapacity: Int { 32 }
  static var scratchFrames: Int { 1024 }
}
