import Base
import Catalog
import Configuration
import Console
import Machine
import Record

extension Services {
  /// Runs a listing: at once, or when the system has told what belongs to it.
  mutating func list(_ listing: Listing, _ form: StatusForm, at now: Instant) {
    switch listing {
    case .buttons: panel.report(form, context.settings, &console, at: now)
    case .rings: reportRings(form)
    case .accel: orientation.report(form, &console)
    case .disk:
      retention.measure(&console)
      ask(.listing(listing, form), at: now)
    case .devices, .threads, .memory: ask(.listing(listing, form), at: now)
    }
  }

  mutating func ask(_ inquiry: Inquiry, at now: Instant) {
    console.pending = .inquiry(
      inquiry, isAsked: false, until: now + Limits.inquiryMilliseconds * 1_000_000)
  }

  /// At each tick while it is pending.
  mutating func advance(
    _ inquiry: Inquiry, isAsked: Bool, by end: Instant,
    _ inspector: borrowing SharedDevice<some InspectorDriver & ~Copyable>,
    at now: Instant
  ) {
    if console.takeInterrupt() { return console.complete() }
    let isCounting = inquiry.isDisk && retention.isMeasuring && now < end
    if isAsked, !isCounting, let answer = inspector.takeAnswer() {
      switch answer.result {
      case .done(let answer): tell(inquiry, answer, nil, at: now)
      case .failed(let failure): tell(inquiry, nil, failure, at: now)
      }
      return
    }
    guard now < end else { return tell(inquiry, nil, nil, at: now) }
    guard !isAsked, !inspector.isLent else { return }
    inspector.lend(order(for: inquiry))
    console.pending = .inquiry(inquiry, isAsked: true, until: end)
  }

  private func order(for inquiry: Inquiry) -> InspectorOrder {
    let camera = context.settings.video.deviceName
    switch inquiry {
    case .listing(.devices, _): return .drivers(deviceNames)
    case .listing(.disk, _): return .card(isFallback: recording.hasFallenBack)
    case .listing: return .process
    case .video(.reset): return .controls(of: camera, .reset)
    case .video: return .controls(of: camera, .none)
    case .setting(_, let identifier, let value): return .controls(of: camera, .set(identifier, to: value))
    case .gain: return .gains(of: context.settings.audio.deviceName, .none)
    case .settingGain(_, let identifier, let value):
      return .gains(of: context.settings.audio.deviceName, .set(identifier, to: value))
    }
  }

  /// - Parameters:
  ///   - answer: nil when there was none.
  ///   - failure: why; nil when the time was over.
  private mutating func tell(
    _ inquiry: Inquiry, _ answer: InspectorAnswer?, _ failure: DeviceFailure?, at now: Instant
  ) {
    switch (inquiry, answer) {
    case (.listing(.devices, let form), .drivers(let drivers)): devices(drivers).report(form, &console)
    case (.listing(.devices, let form), _):
      devices(DeviceDrivers(repeating: DeviceDriver())).report(form, &console)
    case (.listing(.disk, let form), .card(let card)): disk(card).report(form, &console)
    case (.listing(.disk, let form), _): disk(nil).report(form, &console)
    case (.listing(.memory, let form), .process(let report)):
      memory.report(form, report, heapCallCount: context.heapAllocationCount(), &console)
    case (.listing(.memory, let form), _):
      memory.report(form, nil, heapCallCount: context.heapAllocationCount(), &console)
    case (.listing(.threads, let form), .process(let report)): report.report(form, &console)
    case (.video(.show(let form)), .controls(let list)): video(list).report(form, &console)
    case (.video(.set(let name, let value)), .controls(let list)): set(name, to: value, in: list, at: now)
    case (.video(.reset), .controls(let list)): tellReset(list)
    case (.setting(let name, _, let value), .controls(let list)): tellSet(name, to: value, list)
    case (.gain(.show(let form)), .controls(let list)): list.reportGains(form, &console)
    case (.gain(.set(let name, let value)), .controls(let list)): setGain(name, to: value, in: list, at: now)
    case (.settingGain(let name, _, let value), .controls(let list)): tellGain(name, to: value, list)
    default:
      console.refuse(failure?.line ?? "the system does not answer: the camera or the card may be stuck")
    }
  }
}

extension Services {
  private func disk(_ card: CardReport?) -> DiskReport {
    DiskReport(
      isFallback: recording.hasFallenBack, card: card, reserveByteCount: context.settings.reserveByteCount,
      shares: retention.shares, takeByteCount: newestTakeByteCount,
      bytesPerSecond: top.rates.bytesPerSecond, stallCount: recording.stallCount,
      isStalled: recording.growth?.hasStopped == true, progress: recording.progress)
  }

  /// Before the first take of this run it is on the card.
  private var newestTakeByteCount: UInt64? {
    guard let take = recording.take else { return retention.shares?.newestTakeByteCount }
    return take.finalByteCount ?? recording.progress.byteCount
  }

  private func video(_ controls: ControlList) -> VideoReport {
    VideoReport(
      format: recording.capture.otherVideoFormat ?? recording.capture.videoFormat,
      wantedFramesPerSecond: context.settings.video.framesPerSecond,
      picturesPerSecond: top.rates.picturesPerSecond, controls: controls)
  }
}

extension Inquiry {
  fileprivate var isDisk: Bool { if case .listing(.disk, _) = self { true } else { false } }
}

extension Limits {
  /// How long a listing waits for what the system tells: a camera answers for each of its controls in some
  /// milliseconds, and may have two dozen. What is still unknown then is left out of the reply, or the command is
  /// refused.
  static var inquiryMilliseconds: UInt64 { 2000 }
}
