import Port
import Decoding
import Rings
import TestSupport
import Text
import Testing

@testable import Playback

@Suite struct DecoderWorkerTests {
  /// A worker alone, whose reports a test reads.
  private final class WorkerRig {
    let model = DecoderModel(ringFrames: 48_000, sampleRateHz: 48_000)
    var worker: DecoderWorker<ScriptedDecoder>
    var requests: QueueProducer<DecoderRequest>
    var reports: QueueConsumer<DecoderReport>
    var now: UInt64 = 5_000_000_000

    init() throws {
      var memory = leakedBootMemory(byteCount: 400_000)
      let requests = try unwrapped(Queue<DecoderRequest>(capacity: 32, in: &memory))
      let reports = try unwrapped(Queue<DecoderReport>(capacity: 96, in: &memory))
      self.requests = requests.producer
      self.reports = reports.consumer
      worker = DecoderWorker(
        decoder: ScriptedDecoder(model), requests: requests.consumer, reports: reports.producer)
      model.files["a.wav"] = ScriptedFile(firstNumber: 1, frameCount: 480_000)
    }

    func ask(_ order: DecoderOrder, path: String = "") {
      let isTaken = requests.push(DecoderRequest(order, path: FixedText(path)))
      #expect(isTaken)
      run()
    }

    func run(milliseconds: UInt64 = 0) {
      now += milliseconds * 1_000_000
      for _ in 0..<50 { _ = worker.step(atNanoseconds: now) }
    }

    /// What was reported since the last call, in words.
    func told() -> [String] {
      var words: [String] = []
      while let report = reports.pop() {
        switch report {
        case .cannotOpen(let ticket, let failure): words.append("cannot open \(ticket): \(failure.problem)")
        case .fell(let failure): words.append("fell: \(failure.problem)")
        case .message(.opened(let ticket, _, _)): words.append("opened \(ticket)")
        case .message(.refused(let ticket, let refusal)): words.append("refused \(ticket) \(refusal)")
        case .message(.mark(let mark)): words.append("mark \(mark.ringFrame)")
        case .message(.filled(let end, _)): words.append("filled \(end)")
        case .message(.ended(let frame, _)): words.append("ended \(frame)")
        case .message(.ready): words.append("ready")
        }
      }
      return words
    }

    func opened() throws -> WorkerRig {
      ask(.open(ticket: 7, ringFrame: 100), path: "a.wav")
      #expect(told() == ["opened 7"])
      return self
    }
  }

  @Test("The process is started for the first file, and what it says of it is passed on")
  func passesOn() throws {
    let rig = try WorkerRig()
    rig.run()
    #expect(rig.model.startCount == 0)
    _ = try rig.opened()
    rig.ask(.fill(endFrame: 5000))
    #expect(rig.told() == ["mark 100", "filled 5000"])
    rig.ask(.seek(seconds: 9.99, ringFrame: 5001))
    rig.ask(.fill(endFrame: 10_000))
    #expect(rig.told() == ["mark 5001", "ended 5481"])
    rig.ask(.fill(endFrame: 20_000))
    rig.run(milliseconds: 3000)
    #expect(rig.told().isEmpty)
    #expect(rig.model.startCount == 1)
  }

  private static let lies: [DecoderMessage] = [
    .opened(ticket: 7, ItemProperties(), PacketReading()),
    .refused(ticket: 8, .damaged),
    .filled(endFrame: 5001, PacketReading()),
    .filled(endFrame: 1999, PacketReading()),
    .filled(endFrame: .max, PacketReading()),
    .ended(ringFrame: 5001, PacketReading()),
    .ended(ringFrame: 1000, PacketReading()),
    .mark(StreamMark(ringFrame: 6000, ticket: 7, positionSeconds: 0, rate: 1)),
    .mark(StreamMark(ringFrame: 1000, ticket: 7, positionSeconds: 0, rate: 1)),
    .mark(StreamMark(ringFrame: 3000, ticket: 9, positionSeconds: 0, rate: 1)),
    .mark(StreamMark(ringFrame: 3000, ticket: 7, positionSeconds: -1, rate: 1)),
    .mark(StreamMark(ringFrame: 3000, ticket: 7, positionSeconds: .nan, rate: 1)),
    .mark(StreamMark(ringFrame: 3000, ticket: 7, positionSeconds: 0, rate: .infinity)),
    .mark(StreamMark(ringFrame: 3000, ticket: 7, positionSeconds: 0, rate: 0.4)),
  ]

  @Test("A process that says what it was not asked is ended, and that is not passed on", arguments: lies)
  func ends(saying message: DecoderMessage) throws {
    let rig = try WorkerRig().opened()
    rig.ask(.fill(endFrame: 2000))
    #expect(rig.told() == ["mark 100", "filled 2000"])
    rig.model.isStuck = true
    rig.ask(.fill(endFrame: 5000))
    rig.model.messages.append(message)
    rig.run()
    #expect(rig.told() == ["fell: said what it was not asked"])
    #expect(!rig.model.isRunning)
  }

  @Test("What a process said before it heard that its item is closed is no lie")
  func lateWords() throws {
    let rig = try WorkerRig().opened()
    rig.model.isStuck = true
    rig.ask(.fill(endFrame: 5000))
    rig.ask(.close)
    for ringFrame: UInt64 in [100, 2000, 5000] {
      rig.model.messages.append(.mark(StreamMark(ringFrame: ringFrame, ticket: 7, positionSeconds: 0, rate: 1)))
      rig.model.messages.append(.filled(endFrame: ringFrame, PacketReading()))
    }
    rig.model.messages.append(.ended(ringFrame: 5000, PacketReading()))
    rig.run()
    #expect(rig.model.isRunning)
    #expect(!rig.told().contains { $0.hasPrefix("fell") })
    rig.model.isStuck = false
    rig.ask(.open(ticket: 8, ringFrame: 5000), path: "a.wav")
    rig.ask(.fill(endFrame: 6000))
    #expect(rig.told() == ["opened 8", "mark 5000", "filled 6000"])
  }

  @Test("A process that does nothing but mark is ended")
  func marksWithoutEnd() throws {
    let rig = try WorkerRig().opened()
    rig.model.isStuck = true
    rig.ask(.fill(endFrame: 5000))
    for _ in 0..<200 {
      rig.model.messages.append(.mark(StreamMark(ringFrame: 100, ticket: 7, positionSeconds: 0, rate: 1)))
    }
    rig.run()
    #expect(rig.told().last == "fell: said what it was not asked")
  }

  @Test("A file that has properties no file can have is not opened")
  func impossibleProperties() throws {
    for duration in [-1.0, .nan, .infinity, 1e10] {
      let rig = try WorkerRig()
      rig.model.isStuck = true
      rig.ask(.open(ticket: 7, ringFrame: 100), path: "a.wav")
      var properties = ItemProperties()
      properties.durationSeconds = duration
      rig.model.messages.append(.opened(ticket: 7, properties, PacketReading()))
      rig.run()
      #expect(rig.told() == ["refused 7 fatal", "fell: said what it was not asked"])
    }
  }

  @Test("Files, and fills, are waited for no longer than 2 s")
  func deadlines() throws {
    let rig = try WorkerRig().opened()
    rig.model.isStuck = true
    rig.ask(.fill(endFrame: 5000))
    rig.run(milliseconds: 1999)
    #expect(rig.told().isEmpty)
    rig.run(milliseconds: 2)
    #expect(rig.told() == ["fell: did not answer within 2 s"])
    // The next process, which is not stuck.
    rig.ask(.open(ticket: 8, ringFrame: 6000), path: "a.wav")
    #expect(rig.told() == ["opened 8"])
    rig.model.isStuck = true
    rig.ask(.openNext(ticket: 9), path: "a.wav")
    rig.run(milliseconds: 2001)
    #expect(rig.told() == ["refused 9 tooSlow", "fell: did not answer within 2 s"])
  }

  @Test("A process that falls and falls again is not started more than once in 250 ms")
  func restarts() throws {
    let rig = try WorkerRig()
    rig.model.files["deadly.wav"] = ScriptedFile(firstNumber: 1, frameCount: 1)
    rig.model.deadlyPath = "deadly.wav"
    rig.ask(.open(ticket: 1, ringFrame: 0), path: "deadly.wav")
    #expect(rig.told() == ["refused 1 fatal", "fell: is gone"])
    rig.ask(.open(ticket: 2, ringFrame: 0), path: "deadly.wav")
    #expect(rig.told() == ["refused 2 fatal", "fell: is gone"])
    rig.run(milliseconds: 249)
    rig.ask(.open(ticket: 3, ringFrame: 0), path: "deadly.wav")
    #expect(rig.told() == ["cannot open 3: fell twice within 250 ms"])
    #expect(rig.model.startCount == 2)
    rig.run(milliseconds: 1)
    rig.ask(.open(ticket: 4, ringFrame: 0), path: "a.wav")
    #expect(rig.told() == ["opened 4"])
  }

  @Test("A file that is not there is told, and what is open stays so")
  func missing() throws {
    let rig = try WorkerRig().opened()
    rig.ask(.openNext(ticket: 8), path: "missing.wav")
    #expect(rig.told() == ["cannot open 8: cannot be opened"])
    rig.ask(.fill(endFrame: 200))
    #expect(rig.told() == ["mark 100", "filled 200"])
  }

  @Test("After a fall, orders that were meant for the old process start none")
  func leftOver() throws {
    let rig = try WorkerRig().opened()
    rig.model.fall()
    rig.ask(.fill(endFrame: 5000))
    rig.ask(.seek(seconds: 1, ringFrame: 5001))
    rig.ask(.openNext(ticket: 8), path: "a.wav")
    #expect(rig.told() == ["fell: is gone"])
    #expect(rig.model.startCount == 1)
  }

  @Test("The reports of a loop that does not read them wait, and none is lost")
  func fullReports() throws {
    let rig = try WorkerRig().opened()
    var expected: [String] = ["mark 100"]
    for index in 1...200 as ClosedRange<UInt64> {
      rig.ask(.fill(endFrame: 100 + index * 10))
      expected.append("filled \(100 + index * 10)")
      if index % 90 == 0 {
        #expect(rig.told() == expected)
        expected = []
      }
    }
    #expect(rig.told() == expected)
  }
}
