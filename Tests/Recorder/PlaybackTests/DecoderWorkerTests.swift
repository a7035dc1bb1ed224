import Base
import Machine
import TestSupport
import Testing
import Wire

@testable import Playback

@Suite struct DecoderWorkerTests {
  /// A worker whose reports are read by a test.
  private final class WorkerRig {
    let model = DecoderModel(ringFrames: 48_000, sampleRateHz: 48_000)
    var worker: DecoderWorker
    var requests: QueueProducer<DecoderRequest>
    var reports: QueueConsumer<DecoderReport>
    var now: Instant = 5_000_000_000

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
      for _ in 0..<50 { _ = worker.step(at: now) }
    }

    /// The reports since the last call, as text.
    func told() -> [String] {
      var words: [String] = []
      while let report = reports.pop() {
        switch report {
        case .cannotOpen(let requestID, let failure): words.append("cannot open \(requestID): \(failure.problem)")
        case .crashed(let failure): words.append("crashed: \(failure.problem)")
        case .stream(let requestID, let event): words.append("stream \(requestID): \(event)")
        case .message(.opened(let requestID, _, _)): words.append("opened \(requestID)")
        case .message(.refused(let requestID, let refusal)): words.append("refused \(requestID) \(refusal)")
        case .message(.mark(let mark)): words.append("mark \(mark.ringFrame)")
        case .message(.filled(let end, _)): words.append("filled \(end)")
        case .message(.ended(let frame, _)): words.append("ended \(frame)")
        case .message(.ready): words.append("ready")
        case .message(.searching): words.append("searching")
        case .message(.titled(let frame, _, _)): words.append("titled \(frame)")
        case .message(.extracted): words.append("extracted")
        }
      }
      return words
    }

    func opened() throws -> WorkerRig {
      ask(.open(requestID: 7, ringFrame: 100), path: "a.wav")
      #expect(told() == ["opened 7"])
      return self
    }
  }

  @Test("The loop is woken for what it awaits, and not for frames of which it has enough")
  func news() throws {
    let rig = try WorkerRig().opened()
    let hasOpened = rig.worker.takeNews()
    let hasMore = rig.worker.takeNews()
    #expect(hasOpened && !hasMore)
    for isAwaited in [true, false] {
      var request = DecoderRequest(.fill(endFrame: isAwaited ? 200 : 400))
      request.isAwaited = isAwaited
      let isTaken = rig.requests.push(request)
      #expect(isTaken)
      rig.run()
      #expect(rig.told().last?.hasPrefix("filled") == true)
      let hasNews = rig.worker.takeNews()
      #expect(hasNews == isAwaited)
    }
  }

  @Test("The process is started for the first file, and its messages are passed on")
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

  private static let violations: [DecoderMessage] = [
    .opened(requestID: 7, ItemProperties(), PacketReading()),
    .refused(requestID: 8, .damaged),
    .filled(endFrame: 5001, PacketReading()),
    .filled(endFrame: 1999, PacketReading()),
    .filled(endFrame: .max, PacketReading()),
    .ended(ringFrame: 5001, PacketReading()),
    .ended(ringFrame: 1000, PacketReading()),
    .mark(StreamMark(ringFrame: 6000, requestID: 7, positionSeconds: 0, rate: 1)),
    .mark(StreamMark(ringFrame: 1000, requestID: 7, positionSeconds: 0, rate: 1)),
    .mark(StreamMark(ringFrame: 3000, requestID: 9, positionSeconds: 0, rate: 1)),
    .mark(StreamMark(ringFrame: 3000, requestID: 7, positionSeconds: -1, rate: 1)),
    .mark(StreamMark(ringFrame: 3000, requestID: 7, positionSeconds: .nan, rate: 1)),
    .mark(StreamMark(ringFrame: 3000, requestID: 7, positionSeconds: 0, rate: .infinity)),
    .mark(StreamMark(ringFrame: 3000, requestID: 7, positionSeconds: 0, rate: 0.4)),
  ]

  @Test("A process that violates the protocol is stopped, and the message is not passed on", arguments: violations)
  func ends(saying message: DecoderMessage) throws {
    let rig = try WorkerRig().opened()
    rig.ask(.fill(endFrame: 2000))
    #expect(rig.told() == ["mark 100", "filled 2000"])
    rig.model.isStuck = true
    rig.ask(.fill(endFrame: 5000))
    rig.model.messages.append(message)
    rig.run()
    #expect(rig.told() == ["crashed: violated the protocol"])
    #expect(!rig.model.isRunning)
  }

  @Test("Messages sent before the process read that its item is closed do not violate the protocol")
  func lateMessages() throws {
    let rig = try WorkerRig().opened()
    rig.model.isStuck = true
    rig.ask(.fill(endFrame: 5000))
    rig.ask(.close)
    for ringFrame: UInt64 in [100, 2000, 5000] {
      rig.model.messages.append(.mark(StreamMark(ringFrame: ringFrame, requestID: 7, positionSeconds: 0, rate: 1)))
      rig.model.messages.append(.filled(endFrame: ringFrame, PacketReading()))
    }
    rig.model.messages.append(.ended(ringFrame: 5000, PacketReading()))
    rig.run()
    #expect(rig.model.isRunning)
    #expect(!rig.told().contains { $0.hasPrefix("crashed") })
    rig.model.isStuck = false
    rig.ask(.open(requestID: 8, ringFrame: 5000), path: "a.wav")
    rig.ask(.fill(endFrame: 6000))
    #expect(rig.told() == ["opened 8", "mark 5000", "filled 6000"])
  }

  @Test("A process that sends nothing but marks is stopped")
  func marksWithoutEnd() throws {
    let rig = try WorkerRig().opened()
    rig.model.isStuck = true
    rig.ask(.fill(endFrame: 5000))
    for _ in 0..<200 {
      rig.model.messages.append(.mark(StreamMark(ringFrame: 100, requestID: 7, positionSeconds: 0, rate: 1)))
    }
    rig.run()
    #expect(rig.told().last == "crashed: violated the protocol")
  }

  @Test("A file with impossible properties is not opened")
  func impossibleProperties() throws {
    for duration in [-1.0, .nan, .infinity, 1e10] {
      let rig = try WorkerRig()
      rig.model.isStuck = true
      rig.ask(.open(requestID: 7, ringFrame: 100), path: "a.wav")
      var properties = ItemProperties()
      properties.durationSeconds = duration
      rig.model.messages.append(.opened(requestID: 7, properties, PacketReading()))
      rig.run()
      #expect(rig.told() == ["refused 7 fatal", "crashed: violated the protocol"])
    }
  }

  @Test("Opening and filling time out after 2 s")
  func deadlines() throws {
    let rig = try WorkerRig().opened()
    rig.model.isStuck = true
    rig.ask(.fill(endFrame: 5000))
    rig.run(milliseconds: 1999)
    #expect(rig.told().isEmpty)
    rig.run(milliseconds: 2)
    #expect(rig.told() == ["crashed: did not answer within 2 s"])
    // The next process, which does not hang.
    rig.ask(.open(requestID: 8, ringFrame: 6000), path: "a.wav")
    #expect(rig.told() == ["opened 8"])
    rig.model.isStuck = true
    rig.ask(.openNext(requestID: 9), path: "a.wav")
    rig.run(milliseconds: 2001)
    #expect(rig.told() == ["refused 9 tooSlow", "crashed: did not answer within 2 s"])
  }

  @Test("A long search is waited for while it is reported, though not for ever")
  func search() throws {
    let rig = try WorkerRig().opened()
    rig.model.isStuck = true
    rig.ask(.seek(seconds: 3000, ringFrame: 5000))
    rig.ask(.fill(endFrame: 6000))
    var seconds = 0
    var told: [String] = []
    while rig.model.isRunning, seconds < 1000 {
      rig.model.messages.append(.searching)
      rig.run(milliseconds: 1000)
      seconds += 1
      told += rig.told()
    }
    #expect(told.dropLast().allSatisfy { $0 == "searching" })
    #expect(told.last == "crashed: did not answer within 2 s")
    #expect(seconds == PlaybackLimits.searchReportsPerSeek + 2)
  }

  @Test("A process that crashes repeatedly is restarted at most once in 250 ms")
  func restarts() throws {
    let rig = try WorkerRig()
    rig.model.files["deadly.wav"] = ScriptedFile(firstNumber: 1, frameCount: 1)
    rig.model.deadlyPath = "deadly.wav"
    rig.ask(.open(requestID: 1, ringFrame: 0), path: "deadly.wav")
    #expect(rig.told() == ["refused 1 fatal", "crashed: is gone"])
    rig.ask(.open(requestID: 2, ringFrame: 0), path: "deadly.wav")
    #expect(rig.told() == ["refused 2 fatal", "crashed: is gone"])
    rig.run(milliseconds: 249)
    rig.ask(.open(requestID: 3, ringFrame: 0), path: "deadly.wav")
    #expect(rig.told() == ["cannot open 3: crashed twice within 250 ms"])
    #expect(rig.model.startCount == 2)
    rig.run(milliseconds: 1)
    rig.ask(.open(requestID: 4, ringFrame: 0), path: "a.wav")
    #expect(rig.told() == ["opened 4"])
  }

  @Test("A missing file is reported, and the open item stays open")
  func missing() throws {
    let rig = try WorkerRig().opened()
    rig.ask(.openNext(requestID: 8), path: "missing.wav")
    #expect(rig.told() == ["cannot open 8: cannot be opened"])
    rig.ask(.fill(endFrame: 200))
    #expect(rig.told() == ["mark 100", "filled 200"])
  }

  @Test("After a crash, orders for the old process start no new one")
  func leftOver() throws {
    let rig = try WorkerRig().opened()
    rig.model.crash()
    rig.ask(.fill(endFrame: 5000))
    rig.ask(.seek(seconds: 1, ringFrame: 5001))
    rig.ask(.openNext(requestID: 8), path: "a.wav")
    #expect(rig.told() == ["crashed: is gone"])
    #expect(rig.model.startCount == 1)
  }

  @Test("Reports wait for a loop that does not read them, and none is lost")
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
