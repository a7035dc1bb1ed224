import Base
import Configuration
import Machine
import Media
import TestSupport
import Testing

@testable import Record

/// The storage worker on rings that a ``TakeSource`` fills, and a disk in memory.
@safe final class TakeRig: CustomTestStringConvertible {
  let disk: MemoryDisk
  let source: TakeSource
  var worker: StorageWorker
  /// The still worker's end.
  var stills: PacketRingProducer<StillHeader>
  /// The worker's reports on stills, oldest first.
  private(set) var toldOfStills: [StillReport] = []
  private var stillReports: QueueConsumer<StillReport>
  /// The worker's reports, oldest first.
  private(set) var told: [TakeReport] = []
  private var takeCount: UInt32 = 0
  private var orders: QueueProducer<TakeOrder>
  private var reports: QueueConsumer<TakeReport>
  private var notes: QueueProducer<TakeNote>
  // Safe: freed with the rig, which owns every end of what was cut from it.
  private let region: UnsafeMutableRawBufferPointer
  let progress: TakeProgress

  init(
    _ disk: MemoryDisk = MemoryDisk(), hasAudio: Bool = true, hasVideo: Bool = true, ringSeconds: Int = 16,
    habits: SourceHabits = SourceHabits(), seed: UInt64 = 1, adjust: (inout WritingSettings) -> Void = { _ in }
  ) throws {
    // Generated pictures have at most 66 bytes; the encoder of FLAC takes 250,000.
    let bytesPerSecond = max(100, habits.packets.map(\.count).max() ?? 0) * 25
    unsafe region = .allocate(byteCount: 640_000 + ringSeconds * (36_000 + bytesPerSecond), alignment: 4096)
    unsafe region.initializeMemory(as: UInt8.self, repeating: 0)
    var memory = unsafe BootMemory(region: region)
    let samples = try unwrapped(SampleRing(capacityBytes: ringSeconds * 16_000, bytesPerFrame: 2, in: &memory))
    let pictures = try unwrapped(
      PacketRing<PictureHeader>(
        capacityPackets: ringSeconds * 25, capacityBytes: ringSeconds * bytesPerSecond, in: &memory))
    let orders = try unwrapped(Queue<TakeOrder>(capacity: 16, in: &memory))
    let reports = try unwrapped(Queue<TakeReport>(capacity: 64, in: &memory))
    let stills = try unwrapped(PacketRing<StillHeader>(capacityPackets: 8, capacityBytes: 20_000, in: &memory))
    let stillReports = try unwrapped(Queue<StillReport>(capacity: 8, in: &memory))
    let notes = try unwrapped(Queue<TakeNote>(capacity: TakeLimits.notes, in: &memory))
    let timeline = try unwrapped(Timeline(in: &memory))
    progress = try unwrapped(TakeProgress(in: &memory))
    var settings = Self.settings
    adjust(&settings)
    source = TakeSource(
      samples: samples.producer, pictures: pictures.producer, timeline: timeline, hasAudio: hasAudio,
      hasVideo: hasVideo, habits: habits, seed: seed)
    var storage = Storage(MemoryStorage(disk))
    let journal = try TakeJournal(from: &storage)
    worker = StorageWorker(
      storage: storage, orders: orders.consumer, reports: reports.producer,
      tracks: RecordedTracks(samples: samples.consumer, pictures: pictures.consumer, timeline: timeline),
      stills: StillIntake(stills: stills.consumer, reports: stillReports.producer),
      ledgers: LedgerIntake(notes: notes.consumer, texts: try unwrapped(LedgerTexts(in: &memory))), progress: progress,
      settings: settings, journal: journal, dated: try unwrapped(DatedFiles(in: &memory)),
      scratch: try unwrapped(FixedBuffer(byteCount: TakeLimits.copyByteCount, in: &memory)),
      encoder: try unwrapped(FLACEncoder(in: &memory)), meter: try unwrapped(LoudnessMeter(in: &memory)))
    self.orders = orders.producer
    self.reports = reports.consumer
    self.notes = notes.producer
    self.stills = stills.producer
    self.stillReports = stillReports.consumer
    self.disk = disk
    send(
      .arm(
        StreamFormats(
          audio: hasAudio ? TakeSource.audioFormat : nil, video: hasVideo ? TakeSource.videoFormat : nil,
          codec: habits.codec)))
  }

  deinit { unsafe region.deallocate() }

  /// Short, because a failed expectation prints it.
  var testDescription: String { "the rig" }

  static var settings: WritingSettings {
    var record = RecordSettings()
    record.prerollSeconds = 1
    record.stallSeconds = 0
    return WritingSettings(
      record: record, settlingMilliseconds: 30, identity: DeviceIdentity(high: 1, low: 2),
      signingKey: SigningKey(seed: KeyBytes(InlineArray(repeating: 7))), software: "fieldcorder test")
  }

  func send(_ order: TakeOrder) {
    let isSent = orders.push(order)
    precondition(isSent, "too many orders for the test's queue")
  }

  /// Runs the worker until it is idle. A worker that never becomes idle fails the test.
  func work() {
    var stepCount = 0
    while worker.step() {
      stepCount += 1
      precondition(stepCount < 5_000, "the worker finds no end")
    }
    takeReports()
  }

  func takeReports() {
    while let report = reports.pop() { told.append(report) }
    while let report = stillReports.pop() { toldOfStills.append(report) }
  }

  func run(milliseconds: Int) {
    for _ in 0..<milliseconds / 50 {
      source.advance(milliseconds: 50)
      work()
    }
  }

  /// Presses record now: the take begins earlier by the pre-roll.
  func begin(prerollFrames: UInt64 = TakeSource.rateHz, unixNanoseconds: Int64 = 1_767_225_600_000_000_000) {
    let press = source.now
    takeCount += 1
    send(
      .begin(
        TakeStart(
          number: takeCount, startPosition: press.earlier(by: prerollFrames), pressPosition: press,
          pressUnixNanoseconds: unixNanoseconds, orientation: .portrait)))
  }

  /// Notes an event that happens now, or that happened earlier and becomes known now.
  func note(_ text: FixedText<96>, at position: TimelinePosition? = nil) {
    let isSent = notes.push(TakeNote(position: position ?? source.now, text: text))
    precondition(isSent, "too many notes for the test's queue")
  }

  func end() { send(.end(position: source.now)) }

  /// Records a whole take, and returns once everything is written.
  func record(milliseconds: Int) {
    begin()
    run(milliseconds: milliseconds)
    end()
    run(milliseconds: 1_000)
  }

  var opened: [(path: String, start: TimelinePosition)] {
    told.compactMap { if case .opened(_, let path, let start) = $0 { (String(path), start) } else { nil } }
  }

  var finished: [TakeSummary] {
    told.compactMap { if case .finished(_, let summary) = $0 { summary } else { nil } }
  }

  var repaired: [TakeSummary] {
    told.compactMap { if case .repaired(let summary) = $0 { summary } else { nil } }
  }

  var failureCount: Int {
    told.count { if case .failed = $0 { true } else { false } }
  }

  /// Where the newest take that failed ends.
  var failureEnd: TimelinePosition? {
    told.reversed().lazy.compactMap { if case .failed(_, _, let end) = $0 { end } else { nil } }.first
  }

  var fallenBackCount: Int {
    told.count { if case .fellBack = $0 { true } else { false } }
  }

  var returnCount: Int {
    told.count { if case .storageReturned = $0 { true } else { false } }
  }

  var fallbackFailureCount: Int {
    told.count { if case .fallbackFailed = $0 { true } else { false } }
  }

  var completionFailureCount: Int {
    told.count { if case .completionFailed = $0 { true } else { false } }
  }

  var ledgerFailureCount: Int {
    told.count { if case .ledgerFailed = $0 { true } else { false } }
  }

  var refusalCount: Int {
    told.count { if case .picturesRefused = $0 { true } else { false } }
  }

  var disarmedCount: Int {
    told.count { if case .disarmed = $0 { true } else { false } }
  }
}
