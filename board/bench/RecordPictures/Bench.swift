import Base
import CLinux
import Configuration
import Machine
import Media
import Record

/// Both workers on one thread, with a file in place of the camera.
@safe struct Bench: ~Copyable {
  private static var ringSeconds: Int { 4 }
  private static var ticksPerSecond: UInt64 { 48_000 }

  private let format: VideoFormat
  private let zoomFactor: Double
  // Safe: boot memory, which outlives the benchmark; only the encoder reads it, and only within its step.
  private let buffer: UnsafeMutableRawBufferPointer
  private let timeline: Timeline
  private var rawPictures: QueueProducer<RawPicture>
  private var emptiedBuffers: QueueConsumer<UInt16>
  private var orders: QueueProducer<TakeOrder>
  private var reports: QueueConsumer<TakeReport>
  private var encoder: JPEGWorker
  private var storage: StorageWorker

  init(
    format: VideoFormat, quality: Int, zoomFactor: Double, dataFolder: FixedText<128>
  ) throws(DeviceFailure) {
    let pictureByteCount = Int(format.widthPixels) * Int(format.heightPixels) * 3 / 2
    let ringByteCount = Self.ringSeconds * Int(format.frameRate.frames) * pictureByteCount / 2
    let capacity = ringByteCount + 2 * JPEGEncoder.maximumByteCount(format: format)
    var memory = unsafe BootMemory(source: lockedPages)
    var store = Storage(try FolderStorage(folder: dataFolder))
    let journal = try TakeJournal(from: &store)
    guard
      let pictures = PacketRing<PictureHeader>(
        capacityPackets: Self.ringSeconds * Int(format.frameRate.frames), capacityBytes: capacity, in: &memory),
      let samples = SampleRing(capacityBytes: 4096, bytesPerFrame: 4, in: &memory),
      let raw = Queue<RawPicture>(capacity: 1, in: &memory), let emptied = Queue<UInt16>(capacity: 1, in: &memory),
      let orders = Queue<TakeOrder>(capacity: 64, in: &memory),
      let reports = Queue<TakeReport>(capacity: 64, in: &memory),
      let stills = PacketRing<StillHeader>(capacityPackets: 1, capacityBytes: 64, in: &memory),
      let stillReports = Queue<StillReport>(capacity: 1, in: &memory),
      let timeline = Timeline(in: &memory), let progress = TakeProgress(in: &memory),
      let counters = EncoderCounters(in: &memory), let buffers = CameraBuffers(in: &memory),
      let dated = DatedFiles(in: &memory),
      let scratch = FixedBuffer(byteCount: TakeLimits.copyByteCount, in: &memory),
      let notes = Queue<TakeNote>(capacity: 1, in: &memory),
      let ledgerTexts = LedgerTexts(in: &memory), let soundEncoder = FLACEncoder(in: &memory),
      let meter = LoudnessMeter(in: &memory),
      let buffer = unsafe memory.cut(byteCount: pictureByteCount)
    else { preconditionFailure("there is too little memory") }
    unsafe buffers.set(0, to: UnsafeRawBufferPointer(buffer))
    do throws(JPEGEncoderError) {
      let pool = try EncoderPool(
        count: 1, format: format, quality: quality, bells: PoolDoorbells(), buffers: buffers, counters: counters,
        rawPictures: raw.consumer, emptiedBuffers: emptied.producer, encodedPictures: pictures.producer, in: &memory)
      encoder = pool.worker
    } catch {
      preconditionFailure("the format cannot be encoded")
    }
    storage = StorageWorker(
      storage: store, orders: orders.consumer, reports: reports.producer,
      tracks: RecordedTracks(samples: samples.consumer, pictures: pictures.consumer, timeline: timeline),
      stills: StillIntake(stills: stills.consumer, reports: stillReports.producer),
      ledgers: LedgerIntake(notes: notes.consumer, texts: ledgerTexts), progress: progress, settings: Self.settings,
      journal: journal, dated: dated, scratch: scratch, encoder: soundEncoder, meter: meter)
    self.format = format
    self.zoomFactor = zoomFactor
    unsafe self.buffer = buffer
    self.timeline = timeline
    rawPictures = raw.producer
    emptiedBuffers = emptied.consumer
    self.orders = orders.producer
    self.reports = reports.consumer
  }

  private static var settings: WritingSettings {
    var record = RecordSettings()
    record.prerollSeconds = 1
    record.stallSeconds = 10
    return WritingSettings(
      record: record, settlingMilliseconds: 30, identity: DeviceIdentity(high: 0, low: 0),
      signingKey: SigningKey(seed: KeyBytes(InlineArray(repeating: 0))),
      software: "fieldcorder bench")
  }

  /// - Returns: whether the take ended.
  mutating func record(_ raw: borrowing FileDescriptor) -> Bool {
    order(.arm(StreamFormats(audio: nil, video: format)))
    order(
      .begin(
        TakeStart(
          number: 1, startPosition: 0, pressPosition: 0, pressUnixNanoseconds: 1_800_000_000_000_000_000,
          orientation: .landscapeLeft)))
    var sequence: UInt32 = 0
    while read(raw) {
      encode(sequence)
      sequence += 1
    }
    let end = position(of: sequence)
    order(.end(position: end))
    timeline.publish(now: end + Self.ticksPerSecond)
    return finish()
  }

  private func position(of sequence: UInt32) -> TimelinePosition {
    TimelinePosition(UInt64(sequence) * Self.ticksPerSecond / UInt64(format.frameRate.frames))
  }

  private mutating func order(_ order: TakeOrder) {
    let isSent = orders.push(order)
    precondition(isSent, "the storage worker takes no orders")
  }

  private func read(_ raw: borrowing FileDescriptor) -> Bool {
    var done = 0
    while unsafe done < buffer.count {
      let count = unsafe CLinux.read(raw.number, buffer.baseAddress! + done, buffer.count - done)
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  private mutating func encode(_ sequence: UInt32) {
    let position = position(of: sequence)
    let header = PictureHeader(samplePosition: position, instant: 0, cameraSequence: sequence)
    let picture = unsafe RawPicture(
      bufferIndex: 0, byteCount: buffer.count, header: header, zoomFactor: zoomFactor)
    let isPassed = rawPictures.push(picture)
    precondition(isPassed, "the encoder has taken the picture before")
    while encoder.step() {}
    _ = emptiedBuffers.pop()
    timeline.publish(now: position)
    while storage.step() {}
  }

  private mutating func finish() -> Bool {
    while true {
      let isBusy = storage.step()
      while let report = reports.pop() {
        switch report {
        case .finished: return true
        case .failed: return false
        default: break
        }
      }
      guard isBusy else { return false }
    }
  }
}
