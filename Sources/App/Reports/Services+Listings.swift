import Base
import Catalog
import Configuration
import Console
import Machine
import Record

extension Services {
  /// Runs a listing: at once, or when the system has answered.
  mutating func list(_ listing: Listing, _ form: StatusForm) {
    switch listing {
    case .buttons: panel.report(form, context.settings, &console, at: console.now)
    case .rings: reportRings(form)
    case .accel: orientation.report(form, &console)
    case .gps: position.report(form, &console)
    case .disk:
      retention.measure(&console)
      ask(.listing(listing, form))
    case .devices, .threads, .memory, .power: ask(.listing(listing, form))
    }
  }

  mutating func ask(_ inquiry: Inquiry) {
    inquiries.asked = inquiry
    inquiries.early = nil
    inquiries.end = console.now + Limits.inquiryMilliseconds * 1_000_000
    inquiries.system.begin(request(for: inquiry), until: inquiries.end, &console)
  }

  /// At each tick: takes the system's answers.
  mutating func takeInquiries() {
    if !retention.isMeasuring, inquiries.system.isAwaited(by: console), let early = inquiries.early.take() {
      tell(early)
    }
    while inquiries.system.hasNews(for: console) {
      switch inquiries.system.next(&console) {
      case .nothing: return
      case .answered(let reply) where inquiries.asked.isDisk && retention.isMeasuring:
        inquiries.early = reply
        inquiries.system.wait(until: inquiries.end, &console)
      case .answered(let reply): tell(reply)
      case .late: tell(inquiries.early)
      case .interrupted: console.complete()
      case .unattended(let reply, let ticket):
        tellMemory(reply, ticket)
        gain.serve(reply, ticket, context.settings.audio.deviceName, &inquiries.system, &console)
        power.serve(reply, ticket, &console)
        updates.serve(reply, ticket, &console)
        battery.serve(reply, ticket, &console)
        if sleep.serve(reply, ticket, &console) { clock.hasten() }
      }
    }
  }

  private func request(for inquiry: Inquiry) -> InspectorRequest {
    let camera = context.settings.video.deviceName
    switch inquiry {
    case .listing(.devices, _): return .drivers(deviceNames)
    case .listing(.disk, _): return .card(isFallback: recording.hasFallenBack)
    case .listing(.power, _): return .power(power.order)
    case .listing: return .process
    case .video(.reset): return .controls(of: camera, .reset)
    case .video: return .controls(of: camera, .none)
    case .setting(_, let identifier, let value): return .controls(of: camera, .set(identifier, to: value))
    case .gain: return .gains(of: context.settings.audio.deviceName, .none)
    case .settingGain(_, let identifier, let value):
      return .gains(of: context.settings.audio.deviceName, .set(identifier, to: value))
    case .update(.begin(let file, let allowsOlder)): return .update(.begin(file: file, allowsOlder: allowsOlder))
    case .update, .beginning: return .update(.look)
    }
  }

  /// Lets a while pass, and asks again whether the update has begun.
  mutating func awaitInstaller(until end: Instant) {
    inquiries.asked = .beginning(until: end, isPause: true)
    inquiries.system.wait(until: console.now + Limits.updateQuestionMilliseconds * 1_000_000, &console)
  }

  /// - Parameter reply: nil if there was none in time.
  private mutating func tell(_ reply: DeviceResult<InspectorReply>?) {
    var answer: InspectorReply?
    var failure: DeviceFailure?
    switch reply {
    case .done(let told): answer = told
    case .failed(let error): failure = error
    case nil: break
    }
    switch (inquiries.asked, answer) {
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
    case (.listing(.power, let form), .power(let report)):
      power.take(report, &console)
      power.report(form, &console)
    case (.video(.show(let form)), .controls(let list)): video(list).report(form, &console)
    case (.video(.set(let name, let value)), .controls(let list)): set(name, to: value, in: list)
    case (.video(.reset), .controls(let list)): tellReset(list)
    case (.setting(let name, _, let value), .controls(let list)): tellSet(name, to: value, list)
    case (.gain(.show(let form)), .controls(let list)): list.reportGains(form, &console)
    case (.gain(.set(let name, let value)), .controls(let list)): setGain(name, to: value, in: list)
    case (.settingGain(let name, _, let value), .controls(let list)): tellGain(name, to: value, list)
    case (.update(let command), .update(let report)): tell(command, report)
    case (.beginning(let end, true), _): ask(.beginning(until: end, isPause: false))
    case (.beginning(let end, _), .update(let report)): tellBeginning(report, until: end)
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

  /// Before the first take of this run, the size comes from the card.
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

typealias SystemJob = Job<InspectorRequest, DeviceResult<InspectorReply>>

/// The pending command's questions to the system.
struct InquiryService: ~Copyable {
  private let place = StaysInPlace()
  /// Also used by services for which no command waits.
  var system: SystemJob
  fileprivate var asked = Inquiry.listing(.memory, .lines)
  /// The deadline of the answer.
  fileprivate var end: Instant = 0
  /// A reply that came before the takes were counted.
  fileprivate var early: DeviceResult<InspectorReply>?

  init(_ system: consuming SystemJob) { self.system = system }
}

/// A question of a command to the system.
enum Inquiry {
  case listing(Listing, StatusForm)
  case video(VideoOrder)
  case gain(GainOrder)
  /// `video`: sets a control whose range has been read.
  case setting(FixedText<32>, identifier: UInt32, to: Int64)
  /// `gain`: sets a gain whose range has been read.
  case settingGain(FixedText<32>, identifier: UInt32, hundredths: Int64)
  case update(UpdateCommand)
  /// `update FILE`: whether the update has begun. Between the questions there is a pause.
  case beginning(until: Instant, isPause: Bool)

  fileprivate var isDisk: Bool { if case .listing(.disk, _) = self { true } else { false } }
}

extension Limits {
  /// How long a listing waits for the system's answer: a camera takes some milliseconds for each of its controls, and
  /// may have two dozen. What is still unknown then is left out of the reply, or the command is refused.
  static var inquiryMilliseconds: UInt64 { 2000 }
}
