import Base
import Configuration
import Console
import Machine
import Playback
import Record
import Wire

/// Every reason why the recorder does not do what somebody expects of it.
struct Diagnosis {
  /// A bit for each ``Cause``.
  private var bits: UInt64 = 0
  /// Why the speaker is not available.
  var speakerFailure: DeviceFailure?

  mutating func add(_ cause: Cause, if holds: Bool = true) {
    if holds { bits |= 1 << UInt64(cause.rawValue) }
  }

  mutating func remove(_ cause: Cause) { bits &= ~(1 << UInt64(cause.rawValue)) }

  func contains(_ cause: Cause) -> Bool { bits & 1 << UInt64(cause.rawValue) != 0 }

  /// The worst cause, starting at a number.
  func first(from number: UInt8 = 0) -> Cause? {
    var number = number
    while let cause = Cause(rawValue: number) {
      if contains(cause) { return cause }
      number += 1
    }
    return nil
  }

  /// The number of faults.
  var wrongCount: Int { (bits & (1 << UInt64(Cause.noVolume.rawValue) - 1)).nonzeroBitCount }

  /// What is wrong and what to do, in the words of the failed device if it has any.
  private func words(_ cause: Cause, _ console: borrowing ConsoleSession) -> (
    text: FixedText<192>, remedy: StaticString
  ) {
    guard let device = cause.device,
      let failure = (device == .speaker ? speakerFailure : nil) ?? console.newestFailure(of: device)
    else { return ("\(cause.text)", cause.remedy) }
    return (failure.problemLine, failure.remedy)
  }

  /// `why`: reports all causes, each with its remedy.
  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    console.beginRows("causes")
    reportRows(isWrongOnly: false, &console)
    console.endRows()
    if bits == 0 { console.line("nothing is wrong, and a take is being recorded") }
    console.endReport()
  }

  /// Reports the causes, the worst first.
  func reportRows(isWrongOnly: Bool, _ console: inout ConsoleSession) {
    var number: UInt8 = 0
    while let cause = first(from: number), cause.isWrong || !isWrongOnly {
      let (text, remedy) = words(cause, console)
      console.reportFinding(cause.symptom, isWrong: cause.isWrong, text, remedy: remedy)
      number = cause.rawValue + 1
    }
  }

  /// Replies with the worst cause, for `status`.
  func replyWorst(_ console: inout ConsoleSession) {
    guard let cause = first(), cause.isWrong else { return console.reply("well         nothing is wrong") }
    let (text, remedy) = words(cause, console)
    if wrongCount == 1 {
      console.reply("wrong        \(text)" as FixedText<256>)
    } else {
      console.reply("wrong        \(text); why shows \(wrongCount - 1) more" as FixedText<256>)
    }
    console.reply("remedy       \(remedy)" as FixedText<256>)
  }
}

extension ConsoleSession {
  /// A row of `why` or `deploy check`.
  mutating func reportFinding(_ symptom: Symptom, isWrong: Bool, _ text: FixedText<192>, remedy: StaticString) {
    line(symptom.line(text))
    line("                \(remedy)")
    beginRow()
    member("symptom", .name(symptom.name))
    member("wrong", .flag(isWrong))
    member("text", text: text.bytes)
    member("remedy", .name(remedy))
    endRow()
  }
}

extension Symptom {
  fileprivate func line(_ text: FixedText<192>) -> FixedText<256> {
    switch self {
    case .notArmed: "not armed       \(text)"
    case .notRecording: "not recording   \(text)"
    case .silent: "silent          \(text)"
    case .dark: "dark            \(text)"
    case .unheard: "unheard         \(text)"
    case .unsynchronised: "unsynchronised  \(text)"
    case .damaged: "damaged         \(text)"
    case .hindered: "hindered        \(text)"
    case .deployment: "deployment      \(text)"
    }
  }
}

extension Services {
  /// At each exchange.
  mutating func followHealth(_ metrics: borrowing LoopMetrics, at now: Instant) {
    let counters = recording.encoderCounters
    health.follow(isDelivering: recording.capture.isDelivering, hasOpenTake: recording.hasOpenTake, at: now)
    health.follow(
      recording.captureLosses, dropped: counters.droppedPictureCount, broken: counters.failedPictureCount,
      surplus: recording.capture.surplusFrameCount, at: now)
    health.follow(recording.capture.levels, at: now)
    followRings()
    health.follow(playback.player, at: now)
    health.follow(orientation.reading, at: now)
    health.follow(position.report, at: now)
    health.follow(missedTicks: metrics.missedCount, hasButtonDown: panel.hasButtonDown, at: now)
  }

  /// What is wrong now, or else why nothing is recorded.
  func diagnosis(_ clock: borrowing Clock, at now: Instant) -> Diagnosis {
    var diagnosis = Diagnosis()
    recording.describe(in: &diagnosis, newestFailure: console.newestFailure(of: .storage), at: now)
    describeCounts(in: &diagnosis, at: now)
    describeDevices(in: &diagnosis, at: now)
    let source = clock.source
    diagnosis.add(.clockBehind, if: self.clock.dates.isBehind)
    diagnosis.add(.clockUnset, if: source == .unset)
    diagnosis.add(.clockAlone, if: source == .rtc)
    diagnosis.add(.slowConsole, if: console.wasSlow(within: Limits.recentSeconds * 1_000_000_000))
    if diagnosis.contains(.notPressed) {
      let listens = trigger.settings.source != .off && trigger.mayBegin(schedule.wish)
      let waits = schedule.hasRules && !schedule.isOff
      let isAgain = recording.take != nil && !listens && !waits
      if listens || waits || isAgain { diagnosis.remove(.notPressed) }
      diagnosis.add(.notPressedAgain, if: isAgain)
      diagnosis.add(.listening, if: listens)
      diagnosis.add(.awaitsWindow, if: waits && !listens)
    }
    return diagnosis
  }

  private func describeCounts(in diagnosis: inout Diagnosis, at now: Instant) {
    diagnosis.add(.brokenPictures, if: health.brokenPictures.isRecent(at: now))
    diagnosis.add(.droppedPictures, if: health.droppedPictures.isRecent(at: now))
    diagnosis.add(.skippedPictures, if: health.skippedPictures.isRecent(at: now))
    diagnosis.add(.lostSound, if: health.lostSound.isRecent(at: now))
    diagnosis.add(.surplusSound, if: health.surplusSound.isRecent(at: now))
    diagnosis.add(.lateLoop, if: health.missedTicks.isRecent(at: now))
    diagnosis.add(.speakerDry, if: health.underruns.isRecent(at: now))
    let isClipping = diagnosis.contains(.clipping)
    diagnosis.add(.loudSound, if: !isClipping && health.loudSound.lasts(seconds: Limits.noiseSeconds, at: now))
  }

  private func describeDevices(in diagnosis: inout Diagnosis, at now: Instant) {
    diagnosis.add(.noButtons, if: panel.isLost)
    diagnosis.add(.buttonDown, if: health.buttonDown.lasts(seconds: Limits.buttonDownSeconds, at: now))
    diagnosis.add(.noAccelerometer, if: orientation.isLost)
    diagnosis.add(.withoutAccelerometer, if: orientation.isMissing)
    if !orientation.isLost {
      let stillSeconds = Limits.stillAccelerometerSeconds
      diagnosis.add(.stillAccelerometer, if: health.stillAccelerometer.lasts(seconds: stillSeconds, at: now))
      let wildSeconds = Limits.wildAccelerometerSeconds
      diagnosis.add(.wildAccelerometer, if: health.wildAccelerometer.lasts(seconds: wildSeconds, at: now))
    }
    diagnosis.add(.noThermometer, if: heat.isLost)
    diagnosis.add(.noBattery, if: battery.isLost)
    diagnosis.add(.noReceiver, if: position.isLost)
    if !position.isLost {
      let silentSeconds = Limits.silentReceiverSeconds
      diagnosis.add(.silentReceiver, if: health.silentReceiver.lasts(seconds: silentSeconds, at: now))
      diagnosis.add(.wildReceiver, if: health.wildReceiver.isRecent(at: now))
    }
    let throttling = heat.report.throttling
    diagnosis.add(
      .throttled,
      if: throttling?.contains(.frequencyCapped) == true || throttling?.contains(.throttled) == true
        || throttling?.contains(.softTemperatureLimit) == true)
    diagnosis.speakerFailure = playback.player.speakerFailure
    let isOpen = playback.player.state != .none
    diagnosis.add(.noSpeaker, if: isOpen && playback.lacksSpeaker)
    diagnosis.add(.withoutSpeaker, if: !isOpen && playback.lacksSpeaker)
    let stands = health.playerStands.lasts(seconds: Limits.playerStandsSeconds, at: now)
    diagnosis.add(.playerStands, if: stands && !playback.lacksSpeaker)
    diagnosis.add(.noVolume, if: playback.player.state == .playing && playback.player.status.volume == 0)
  }
}

extension RecordingService {
  fileprivate func describe(in diagnosis: inout Diagnosis, newestFailure: DeviceFailure?, at now: Instant) {
    var view = ViewStatus()
    describe(in: &view, at: now)
    var number: UInt32 = 0
    while let fault = ViewFault(rawValue: number) {
      diagnosis.add(Cause(fault, isHot: heat.level == .hot), if: view.faults & fault.bit != 0)
      number += 1
    }
    describeState(in: &diagnosis, newestFailure)
    if hasFallenBack {
      diagnosis.remove(.takeFailed)
      diagnosis.add(.fallenBack)
    }
    diagnosis.add(.noFallback, if: lacksFallback)
    diagnosis.add(.powerFailing, if: isPowerFailing)
    if battery.level == .empty {
      diagnosis.remove(.lowBattery)
      diagnosis.add(.emptyBattery)
    }
    diagnosis.add(.encoderFailed, if: codecStatus.failure != nil)
    describeChanges(in: &diagnosis)
  }

  /// Adds the devices that came back as different ones.
  private func describeChanges(in diagnosis: inout Diagnosis) {
    if capture.microphone.isLost, capture.hasOtherSound {
      diagnosis.remove(.noMicrophone)
      diagnosis.add(.otherSound)
    }
    if capture.camera.isLost, capture.hasOtherPictures {
      diagnosis.remove(.noCamera)
      diagnosis.add(.otherPictures)
    }
    diagnosis.add(.scaledPictures, if: capture.camera == .running && capture.otherVideoFormat != nil)
  }

  private func describeState(in diagnosis: inout Diagnosis, _ newestFailure: DeviceFailure?) {
    switch recorder.state {
    case .idle where isAsleep: diagnosis.add(.asleep)
    case .idle: diagnosis.add(settings.record.arming == .atPress ? .openedAtPress : .opening)
    case .opening: diagnosis.add(.opening)
    case .preparing: diagnosis.add(.notPressed)
    case .recording: break
    case .finishing, .closing, .emptying: diagnosis.add(.finishing)
    case .failed where capture.isClosed: diagnosis.add(.nothingToRecordFrom)
    case .failed:
      guard newestFailure?.kind == .full else { return }
      diagnosis.remove(.takeFailed)
      diagnosis.add(.cardFull)
    }
  }
}
