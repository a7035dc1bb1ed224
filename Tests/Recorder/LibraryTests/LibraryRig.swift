import Base
import Catalog
import Machine
import TestSupport
import Testing
import Wire

/// A library worker and the loop's ends of its queues.
struct LibraryRig: ~Copyable {
  var worker: LibraryWorker
  var loop: JobClientEnd<LibraryRequest, LibraryReply>
  var moves: QueueProducer<FixedText<128>>
  let time: LibraryTime
  let progress: LibraryProgress
  let prober: FakeProber.Log
  var now: Instant

  init(
    folders: consuming HostStorage, card: FakeCard, capacity: Int = 1000, rescanSeconds: UInt32 = 15,
    answerCapacity: Int = 64, isInStep: Bool = true, crossesDevices: Bool = false,
    artwork: LibraryArtwork = LibraryArtwork()
  ) throws {
    var memory = leakedBootMemory()
    let channel = try unwrapped(
      JobChannel<LibraryRequest, LibraryReply>(requestCapacity: 16, answerCapacity: answerCapacity, in: &memory))
    let moves = try unwrapped(Queue<FixedText<128>>(capacity: 4, in: &memory))
    let time = try unwrapped(LibraryTime(in: &memory))
    let progress = try unwrapped(LibraryProgress(in: &memory))
    let prober = FakeProber.Log()
    time.publish(now: 5_000_000_000, unixSeconds: Self.unixSeconds)
    let worker = LibraryWorker(
      folders: Storage(folders, for: .browsing), prober: FakeProber(card: card, log: prober, isInStep: isInStep),
      loop: channel.worker, moves: moves.consumer, progress: progress, time: time,
      capacity: capacity,
      rescanSeconds: rescanSeconds, crossesDevices: crossesDevices, artwork: artwork, in: &memory)
    self.worker = worker!
    self.time = time
    self.progress = progress
    self.prober = prober
    now = 5_000_000_000
    self.moves = moves.producer
    loop = channel.client
  }

  /// A constant 2026-01-01 00:00 UTC, so that files of 1970 are old.
  static var unixSeconds: Int64 { 1_767_225_600 }

  mutating func pass(seconds: Double) {
    now += UInt64(seconds * 1e9)
    time.publish(now: now, unixSeconds: Self.unixSeconds)
  }

  /// Steps until there is nothing to do.
  mutating func settle() {
    for _ in 0..<1_000_000 where !worker.step() { return }
    Issue.record("the worker never comes to rest")
  }

  /// Steps until there is nothing to do, including the next pass, which becomes due.
  mutating func settleAfterNextPass() {
    settle()
    pass(seconds: 15)
    settle()
  }

  /// Sends a notice, which is not answered.
  mutating func tell(_ question: LibraryRequest) {
    let isPut = loop.requests.push(Ticketed(ticket: 1, value: question))
    #expect(isPut)
  }

  /// The whole answer to a query.
  mutating func ask(_ question: LibraryRequest) -> [LibraryReply] {
    tell(question)
    var given: [LibraryReply] = []
    for _ in 0..<1_000_000 {
      _ = worker.step()
      while let answer = loop.answers.pop()?.value {
        given.append(answer)
        switch answer {
        case .done(let count, _):
          // A pass reports the number of files found, without naming them.
          if case .rescan = question {} else { #expect(Int(count) == given.count - 1) }
          return given
        case .refused:
          #expect(given.count == 1)
          return given
        case .entry, .item, .lyrics, .names: break
        }
      }
    }
    Issue.record("the library never ends its answer")
    return given
  }

  /// The lines of all entries.
  mutating func list(_ kind: MediaKind? = nil) -> [String] { lines(of: ask(.list(kind))) }

  mutating func find(_ field: TagField, _ text: String) -> [String] { lines(of: ask(.find(field, FixedText(text)))) }

  private func lines(of answers: [LibraryReply]) -> [String] {
    answers.compactMap { if case .entry(let entry) = $0 { String(entry.line) } else { nil } }
  }

  /// The paths of all items, or the refusal's line.
  mutating func items(_ question: LibraryRequest) -> [String] {
    ask(question).compactMap {
      switch $0 {
      case .item(let item): String(item.path)
      case .refused(let refusal): "refused: " + String(refusal.line)
      case .entry, .done, .lyrics, .names: nil
      }
    }
  }
}

extension LibraryRig {
  init(
    _ card: FakeCard, capacity: Int = 1000, rescanSeconds: UInt32 = 15, answerCapacity: Int = 64,
    isInStep: Bool = true, crossesDevices: Bool = false, artwork: LibraryArtwork = LibraryArtwork()
  ) throws {
    try self.init(
      folders: FakeFolders(card: card), card: card, capacity: capacity, rescanSeconds: rescanSeconds,
      answerCapacity: answerCapacity, isInStep: isInStep, crossesDevices: crossesDevices, artwork: artwork)
  }
}
