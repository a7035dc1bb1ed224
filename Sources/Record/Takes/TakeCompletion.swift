import Base
import Machine
import Media

/// Turns a file that grew safely into one that any program can read, after a take or a power cut.
struct TakeCompletion: ~Copyable {
  enum Purpose {
    /// ``TakeStart/number`` of the take that ends with this file.
    case end(take: UInt32)
    case split
    case repair

    fileprivate var occasion: RestSeal.Occasion { if case .repair = self { .repaired } else { .finished } }
  }

  private enum Work {
    case movie(MovieFinisher<StoredFile>)
    case audio(AudioFileDescription, dataByteCount: UInt64)
    case audioRepair(AudioFileDescription?, confirmedByteCount: UInt64)
    /// An audio file is complete except for the seal of the bytes outside its content.
    case sealing(RestSealing)
  }

  /// What the finished movie must contain; nil if that is not known.
  private struct Expectation {
    var fragmentCount: Int
    var pictureCount: UInt64
    var audioFrameCount: UInt64
  }

  private var file: StoredFile
  private var hashes: HashList<StoredFile>
  /// The ledger's first line, used if it cannot be read; empty for a file being repaired.
  private let ledgerHead: FixedText<256>
  /// The ledger's last line, used if it has none.
  private let ending: TakeEnding
  /// Whether the file gets its ledger; it does not if the card is too full.
  private var hasLedger = true
  private var work: Work
  /// Seals a movie's bytes outside its content; nil before that, and again when the ledger is rewritten.
  private var movieSealing: RestSealing?
  private var isMovieSealed = false
  /// Whether an audio file had lost its header.
  private var isHeaderRestored = false
  private let expectation: Expectation?
  let purpose: Purpose
  private(set) var summary: TakeSummary

  var path: FixedText<128> { summary.path }
  /// Size of the file when it ended, or when its repair began.
  var recordedByteCount: UInt64 { summary.byteCount }

  init(of take: consuming OpenTake, purpose: Purpose) {
    summary = take.summary
    self.purpose = purpose
    switch take.layout {
    case .movie: work = .movie(MovieFinisher(confirmed: .exactly(take.byteCount)))
    case .audio(let audio): work = .audio(audio, dataByteCount: take.dataByteCount)
    }
    expectation = Expectation(
      fragmentCount: Int(take.fragmentCount), pictureCount: take.videoFrameCount,
      audioFrameCount: take.audioFrameCount)
    ledgerHead = "\(take.layout.provenance.line)\n"
    ending = take.ending
    file = take.file
    hashes = HashList(source: take.ledger.takeFile())
  }

  /// For a file that was left open: only its content and how much of it was flushed are known.
  /// - Parameter sound: what the journal knows about an audio file.
  init(
    repairing file: consuming StoredFile, ledger: consuming StoredFile?, path: FixedText<128>,
    confirmed: ConfirmedLength,
    sound: AudioFileDescription? = nil
  ) {
    summary = TakeSummary(path: path, byteCount: file.byteCount, timelineFrames: 0, videoFrameCount: 0)
    purpose = .repair
    work =
      path.bytes.hasSuffix(".mov")
      ? .movie(MovieFinisher(confirmed: confirmed)) : .audioRepair(sound, confirmedByteCount: confirmed.byteCount)
    expectation = nil
    ledgerHead = ""
    ending = .interrupted
    self.file = file
    hashes = HashList(source: ledger)
  }

  /// Does a bounded piece of the work.
  /// - Returns: true once the file is complete and flushed.
  mutating func step(
    scratch: inout FixedBuffer, _ texts: inout LedgerTexts, key: SigningKey
  ) throws(DeviceFailure) -> Bool {
    do throws(DeviceFailure) { return try advance(scratch: &scratch, &texts, key) } catch {
      return try leaveInFragments(error)
    }
  }

  /// A movie with no room for its tables is complete without them, unless it is only the card that has no room.
  private mutating func leaveInFragments(_ failure: DeviceFailure) throws(DeviceFailure) -> Bool {
    guard failure.isFileLimit, !hasLedger, case .movie = work else { throw failure }
    if file.byteCount > recordedByteCount { try file.truncate(to: recordedByteCount) }
    try file.synchronise()
    end(as: .complete, headerByteCount: MovieLimits.headerByteCount)
    return true
  }

  private mutating func advance(
    scratch: inout FixedBuffer, _ texts: inout LedgerTexts, _ key: SigningKey
  ) throws(DeviceFailure) -> Bool {
    var buffer = scratch.mutableBytes
    try loadLedger(into: &texts, scratch: &buffer)
    switch work {
    case .movie(var finisher):
      guard finisher.frontChange == nil || isMovieSealed || !hasLedger else {
        try sealMovie(finisher.frontChange, scratch: &buffer, key)
        return false
      }
      let progress = try finisher.step(&file, scratch: &buffer, ledger: texts.closing, &hashes)
      work = .movie(finisher)
      guard progress != .working else { return false }
      end(as: condition(of: finisher, progress), headerByteCount: MovieLimits.headerByteCount)
      return true
    case .audio(let audio, let dataByteCount):
      try AudioClosing.close(
        &file, audio, ending: ending, dataByteCount: dataByteCount, ledger: texts.closing, &hashes, scratch: &buffer)
      let closingByteCount =
        texts.closing.byteCount + (texts.closing.isEmpty ? 0 : hashes.byteCount(in: audio.container))
      let isWhole = try AudioRepair.isWhole(
        &file, dataByteCount: dataByteCount, ledgerByteCount: closingByteCount, scratch: &buffer)
      let condition: TakeCondition = isWhole ? .complete : .damaged
      end(as: dataByteCount > 0 ? condition : .unreadable, headerByteCount: Int(audio.container.dataStart))
    case .audioRepair(_, let confirmedByteCount):
      let outcome = try AudioRepair.repair(
        &file, confirmedByteCount: confirmedByteCount, ledger: texts.closing, &hashes, scratch: &buffer)
      end(
        as: condition(of: outcome, confirmedByteCount),
        headerByteCount: Int((AudioContainer(ofFile: path) ?? .wav).dataStart))
    case .sealing(var sealing):
      defer { work = .sealing(sealing) }
      return try sealing.step(&file, scratch: &buffer, key: key)
    }
    guard summary.byteCount > 0, hasLedger else { return true }
    work = .sealing(RestSealing(purpose.occasion))
    return false
  }

  /// Must precede writing the front: after that, nothing near the tables is written.
  private mutating func sealMovie(
    _ change: FrontChange?, scratch: inout MutableRawSpan, _ key: SigningKey
  ) throws(DeviceFailure) {
    var sealing = movieSealing ?? RestSealing(purpose.occasion, before: change)
    isMovieSealed = try sealing.step(&file, scratch: &scratch, key: key)
    movieSealing = sealing
  }

  /// A file without sound is removed, and a movie needs the ledger only if its tables are written.
  private mutating func loadLedger(
    into texts: inout LedgerTexts, scratch: inout MutableRawSpan
  ) throws(DeviceFailure) {
    texts.clear()
    guard hasLedger else { return }
    switch work {
    case .movie(let finisher):
      guard let end = finisher.end else { return }
      (movieSealing, isMovieSealed) = (nil, false)
      texts.load(&hashes, head: ledgerHead, ending: ending.line, for: nil, end)
    case .audio(let audio, let dataByteCount):
      guard dataByteCount > 0 else { return }
      try loadLedger(into: &texts, for: audio.container, dataByteCount: dataByteCount, scratch: &scratch)
    case .audioRepair(let sound, let confirmedByteCount):
      if let sound, try AudioRepair.lacksHeader(&file, scratch: &scratch) {
        try AudioRepair.restoreHeader(sound, of: &file, scratch: &scratch)
        isHeaderRestored = true
      }
      let dataByteCount = try AudioRepair.soundByteCount(
        in: &file, confirmedByteCount: confirmedByteCount, scratch: &scratch)
      guard let dataByteCount else { return }
      let container = AudioContainer(ofFile: path) ?? .wav
      try loadLedger(into: &texts, for: container, dataByteCount: dataByteCount, scratch: &scratch)
    case .sealing: break
    }
  }

  /// The header is in the file already, whether this ends or repairs a take.
  private mutating func loadLedger(
    into texts: inout LedgerTexts, for container: AudioContainer, dataByteCount: UInt64,
    scratch: inout MutableRawSpan
  ) throws(DeviceFailure) {
    var header = scratch._mutatingExtracting(first: AudioFileDescription.headerByteCount)
    let byteCount = try file.read(at: 0, into: &header)
    let sound = FinishedSound(
      container, header: header.bytes.extracting(first: byteCount), dataByteCount: dataByteCount)
    texts.load(&hashes, head: ledgerHead, ending: ending.line, for: sound)
  }

  /// Starts again: after an error, nothing read or written before is relied on.
  mutating func restart() {
    switch work {
    case .movie(var finisher):
      finisher.restart()
      work = .movie(finisher)
      (movieSealing, isMovieSealed) = (nil, false)
    case .sealing: work = .sealing(RestSealing(purpose.occasion))
    case .audio, .audioRepair: break
    }
  }

  /// Starts again without the ledger in the file.
  /// - Returns: false if it had none.
  mutating func goOnWithoutLedger() -> Bool {
    guard hasLedger else { return false }
    hasLedger = false
    restart()
    return true
  }

  /// Only a file no longer than a header has nothing to lose.
  private mutating func end(as condition: TakeCondition, headerByteCount: Int) {
    let isEmpty = condition == .unreadable && file.byteCount <= headerByteCount
    summary.condition = isEmpty ? .complete : condition
    summary.byteCount = isEmpty ? 0 : file.byteCount
  }

  private func condition(of finisher: MovieFinisher<StoredFile>, _ progress: MovieProgress) -> TakeCondition {
    switch progress {
    case .empty, .foreign: .unreadable
    case .damaged: .damaged
    case .finished where !isExpected(finisher): .damaged
    case .working, .finished, .alreadyFinished, .tooLong: .complete
    }
  }

  private func isExpected(_ finisher: MovieFinisher<StoredFile>) -> Bool {
    guard let expectation else { return true }
    return finisher.fragmentCount == expectation.fragmentCount && finisher.pictureCount == expectation.pictureCount
      && finisher.audioFrameCount == expectation.audioFrameCount
      && finisher.audioDurationFrames == expectation.audioFrameCount
  }

  private func condition(of outcome: AudioRepair.Outcome, _ confirmedByteCount: UInt64) -> TakeCondition {
    switch outcome {
    case .empty, .foreign: .unreadable
    case .repaired, .alreadyWhole: isHeaderRestored || file.byteCount < confirmedByteCount ? .damaged : .complete
    }
  }
}

/// The files being completed: those of takes, smallest first, then one under repair.
///
/// A growing file takes precedence over all of them. It gets a place in the queue when it is opened, so that its end
/// never waits for a free one. Because the smallest goes first, the files of a frequently split take do not wait for
/// one of many hours.
struct CompletionQueue: ~Copyable {
  private var places = InlineArray<4, TakeCompletion?> { _ in nil }
  private var takeCount = 0
  /// How many places are taken. Counted, because the compiler would copy a place to see whether it is.
  private var fileCount = 0

  private static var repairPlace: Int { 3 }

  var isEmpty: Bool { fileCount == 0 }
  /// Whether no more files of takes can be opened.
  var isFull: Bool { takeCount == Self.repairPlace }

  /// The place of the file whose turn it is.
  private var current: Int {
    guard takeCount > 0 else { return Self.repairPlace }
    var best = 0
    for index in 0..<takeCount where byteCount(at: index) < byteCount(at: best) { best = index }
    return best
  }

  private func byteCount(at index: Int) -> UInt64 { places[index]!.recordedByteCount }

  mutating func append(_ completion: consuming TakeCompletion) {
    precondition(!isFull, "a file was opened while others could not be completed")
    places[takeCount] = consume completion
    takeCount += 1
    fileCount += 1
  }

  /// Only while the queue is empty.
  mutating func repair(_ completion: consuming TakeCompletion) {
    precondition(isEmpty, "a repair was begun before others had ended")
    places[Self.repairPlace] = consume completion
    fileCount += 1
  }

  func holds(_ path: FixedText<128>) -> Bool {
    for index in places.indices where places[index] != nil && places[index]!.path == path { return true }
    return false
  }

  /// Does a bounded piece of the work on the file whose turn it is. Requires a file.
  /// - Returns: that file's completion once it is complete and flushed; it is then no longer in the queue.
  mutating func step(
    scratch: inout FixedBuffer, _ texts: inout LedgerTexts, key: SigningKey
  ) throws(DeviceFailure) -> TakeCompletion? {
    let index = current
    guard try places[index]!.step(scratch: &scratch, &texts, key: key) else { return nil }
    return remove(at: index)
  }

  /// Restarts the file whose turn it is, after an error.
  mutating func restart() { places[current]!.restart() }

  /// Restarts it without a ledger.
  /// - Returns: false if it would get none anyway.
  mutating func goOnWithoutLedger() -> Bool { places[current]!.goOnWithoutLedger() }

  /// Removes the file whose turn it is.
  mutating func giveUp() -> TakeCompletion { remove(at: current) }

  private mutating func remove(at index: Int) -> TakeCompletion {
    let removed = places[index].take()!
    fileCount -= 1
    guard index != Self.repairPlace else { return removed }
    for later in index + 1..<max(takeCount, index + 1) { places[later - 1] = places[later].take() }
    takeCount -= 1
    return removed
  }
}
