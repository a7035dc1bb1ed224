import Base
import Configuration
import Console
import Kit
import Machine
import Playback
import Record

extension Services {
  /// Runs `selftest`.
  mutating func runSelfTest(_ order: SelfTest, at now: Instant) {
    if order.scope == .card {
      if let refusal = recording.beginCardTest(at: now) { return console.refuse(refusal) }
      selfTest.beginCard(order, &console)
    } else {
      guard !recording.hasOpenTake else { return console.refuse("a take is being recorded: no test runs meanwhile") }
      selfTest.begin(order, recording.capture, &console)
    }
  }

  /// At each tick. A take has priority: the test ends at once, and its devices go to the take.
  mutating func advanceSelfTest(_ machine: inout Hardware, at now: Instant) {
    if recording.hasOpenTake, selfTest.sound.isAwaited(by: console) {
      let isCardAlone = selfTest.order.scope == .card
      return breakOffSelfTest(
        isCardAlone ? "a take began: the card test was cancelled" : "a take began: the test was cancelled")
    }
    switch selfTest.sound.next(&console) {
    case .nothing: goOn(&machine, isLate: false, at: now)
    case .late: goOn(&machine, isLate: true, at: now)
    case .answered(.surveyed(let survey)): endSurvey(MicrophoneTest(survey: survey).result, at: now)
    case .answered(.heard(let chirp)): endChirp(SpeakerTest(chirp: chirp).result, at: now)
    case .answered(.tooLittle): skipSound(at: now)
    case .interrupted: breakOffSelfTest("cancelled")
    case .unattended: break
    }
  }

  /// - Parameter isLate: whether the phase's time is over.
  private mutating func goOn(_ machine: inout Hardware, isLate: Bool, at now: Instant) {
    switch selfTest.phase {
    case .none: break
    case .looking: look(&machine, isLate: isLate, at: now)
    case .surveying, .seeking: if isLate { skipSound(at: now) }
    case .inquiring: if isLate { tellMemory(nil, at: now) }
    case .chirping: awaitChirp(isLate: isLate, at: now)
    case .hearing(let format, let start, let end):
      if isLate { skipSound(at: now) } else { seekChirp(format, from: start, until: end) }
    case .writing: awaitCard(at: now)
    }
  }

  private mutating func breakOffSelfTest(_ reason: FixedText<256>) {
    selfTest.phase = .none
    playback.cancelSlate()
    recording.breakOffCardTest()
    console.refuse(reason)
  }

  private mutating func look(_ machine: inout Hardware, isLate: Bool, at now: Instant) {
    selfTest.buttons.follow(panel.pressed)
    selfTest.leds.follow(&machine.leds, at: now)
    if let reading = orientation.reading, orientation.readCount != selfTest.readingCount {
      selfTest.accelerometer.follow(reading)
    }
    selfTest.readingCount = orientation.readCount
    guard isLate else { return }
    tellWhatWasSeen(machine.clock, at: now)
    listen(at: now)
  }

  private mutating func tellWhatWasSeen(_ clock: borrowing Clock, at now: Instant) {
    let settings = context.settings
    selfTest.tell(selfTest.buttons.result(isLost: panel.isLost, console.newestFailure(of: .buttons)), &console)
    selfTest.tell(selfTest.leds.result(settings.leds, newestFailure: console.newestFailure(of: .leds)), &console)
    let accelerometer = selfTest.accelerometer.result(
      isWanted: settings.accelerometer.busName != nil, isMissing: orientation.isMissing || orientation.isLost,
      console.newestFailure(of: .accelerometer))
    selfTest.tell(accelerometer, &console)
    if let camera = selfTest.camera?.result(
      recording.capture, isWanted: settings.record.content.hasCamera,
      hasFailed: recording.capture.camera == .closed && isMissed(.camera), console.newestFailure(of: .camera), at: now)
    {
      selfTest.tell(camera, &console)
    }
    tellClock(clock)
  }

  private mutating func tellClock(_ clock: borrowing Clock) {
    let source = clock.source
    var result = TestResult(.clock, .pass)
    if self.clock.dates.isBehind {
      result = TestResult(.clock, .fail, TestRemark(Cause.clockBehind))
    } else if source == .unset {
      result = TestResult(.clock, .fail, TestRemark(Cause.clockUnset))
    } else if source == .rtc {
      result = TestResult(.clock, .tight, TestRemark(Cause.clockAlone))
    }
    result.add("source", "source", .name(source.name))
    selfTest.tell(result, &console)
  }

  /// Whether a device that is wanted now is closed because it could not be opened.
  private func isMissed(_ device: Device) -> Bool {
    let capture = recording.capture.isDelivering || recording.recorder.state == .failed
    return capture && console.newestFailure(of: device) != nil
  }

  private mutating func listen(at now: Instant) {
    let capture = recording.capture.microphone
    guard capture == .running, let format = recording.capture.audioFormat else {
      if capture.isLost || isMissed(.microphone) {
        let failure = console.newestFailure(of: .microphone)
        selfTest.tell(TestResult(.microphone, failing: failure, .noMicrophone), &console)
      } else {
        selfTest.tell(TestResult(.microphone, .skipped, .closed), &console)
      }
      return askForMemory(at: now)
    }
    let end = recording.capture.audio.end
    let start = end.earlier(by: SelfTestLimits.surveySeconds * UInt64(format.sampleRateHz))
    selfTest.phase = .surveying
    selfTest.sound.begin(
      .survey(format, from: start), until: now + SelfTestLimits.workerMilliseconds * 1_000_000, &console)
  }

  private mutating func endSurvey(_ result: TestResult, at now: Instant) {
    selfTest.tell(result, &console)
    askForMemory(at: now)
  }

  /// Skips the sound tests: too little was heard, or the worker takes too long.
  private mutating func skipSound(at now: Instant) {
    if case .surveying = selfTest.phase {
      endSurvey(TestResult(.microphone, .skipped, .tooLittleSound), at: now)
    } else {
      endChirp(TestResult(.speaker, .skipped, .tooLittleSound), at: now)
    }
  }

  private mutating func askForMemory(at now: Instant) {
    selfTest.phase = .inquiring(ticket: inquiries.system.send(.process, &console))
    selfTest.sound.wait(until: now + Limits.inquiryMilliseconds * 1_000_000, &console)
  }

  /// Takes the system's answer, if the self-test asked.
  mutating func tellMemory(_ reply: DeviceResult<InspectorReply>, _ ticket: UInt32) {
    guard case .inquiring(.some(ticket)) = selfTest.phase else { return }
    var report: ProcessReport?
    if case .done(.process(let told)) = reply { report = told }
    tellMemory(report, at: console.now)
  }

  private mutating func tellMemory(_ report: ProcessReport?, at now: Instant) {
    var byteCount = 0
    for index in 0..<MemoryAccount.Part.count { byteCount += memory.byteCounts[index] }
    let test = MemoryTest(
      cutByteCount: UInt64(byteCount), lockedByteCount: report?.lockedByteCount,
      heapCallCount: context.heapAllocationCount())
    selfTest.tell(test.result, &console)
    switch selfTest.order.scope {
    case .quick, .card: selfTest.end(&console)
    case .all: beginChirp(at: now)
    }
  }

  private mutating func beginChirp(at now: Instant) {
    guard context.settings.speaker.deviceName != nil else {
      return endChirp(TestResult(.speaker, .absent, .noSpeaker), at: now)
    }
    guard recording.capture.microphone == .running else {
      return endChirp(TestResult(.speaker, .skipped, .noEar), at: now)
    }
    guard playback.player.status.volume > 0 else {
      return endChirp(TestResult(.speaker, .fail, TestRemark(Cause.noVolume)), at: now)
    }
    guard playback.beginChirp() == nil else { return endChirp(TestResult(.speaker, .skipped, .filePlays), at: now) }
    selfTest.phase = .chirping
    selfTest.sound.wait(until: now + Limits.slateSeconds * 1_000_000_000, &console)
  }

  private mutating func awaitChirp(isLate: Bool, at now: Instant) {
    if let instant = playback.takeSlateInstant(), let format = recording.capture.audioFormat {
      let early = SelfTestLimits.chirpEarlyMilliseconds * 1_000_000
      let start = recording.capture.position(at: instant.earlier(by: early))
      let time = SelfTestLimits.chirpMilliseconds + SelfTestLimits.workerMilliseconds
      let end = now + time * 1_000_000
      selfTest.phase = .hearing(format, from: start, until: end)
      selfTest.sound.wait(until: end, &console)
    } else if isLate {
      playback.cancelSlate()
      var result = TestResult(.speaker, .fail, .deafSpeaker)
      result.failure = playback.player.speakerFailure
      endChirp(result, at: now)
    }
  }

  private mutating func seekChirp(_ format: AudioFormat, from start: TimelinePosition, until end: Instant) {
    let needed = start + SelfTestLimits.chirpMilliseconds * UInt64(format.sampleRateHz) / 1000
    guard recording.capture.audio.end >= needed else { return }
    selfTest.phase = .seeking
    selfTest.sound.begin(.chirp(format, from: start), until: end, &console)
  }

  private mutating func endChirp(_ result: TestResult, at now: Instant) {
    selfTest.tell(result, &console)
    if recording.beginCardTest(at: now) == nil {
      selfTest.phase = .writing
      selfTest.sound.wait(until: nil, &console)
    } else {
      selfTest.tell(TestResult(.card, .fail, TestRemark(Cause.cardStuck)), &console)
      selfTest.end(&console)
    }
  }

  private mutating func awaitCard(at now: Instant) {
    guard let end = recording.takeCardTestEnd(at: now) else { return }
    // The card test on its own prints one sentence, and a failing card is an error.
    if selfTest.order.scope == .card, selfTest.order.form == .lines {
      selfTest.phase = .none
      return end.answer(&console)
    }
    selfTest.tell(end.result, &console)
    selfTest.end(&console)
  }
}
