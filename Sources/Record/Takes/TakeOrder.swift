import Base
import Configuration
import Media

/// An order from the loop to the storage worker.
package enum TakeOrder: BitwiseCopyable, Sendable {
  /// The devices are running with these formats.
  case arm(StreamFormats)
  case begin(TakeStart)
  /// End the take before this position, which may be some milliseconds in the past.
  case end(position: TimelinePosition, as: TakeEnding = .stopped)
  /// The device was rotated: the take continues in a new file with the new orientation.
  case turn(TakeTurn)
  /// Store the chosen rotation for the next boot.
  case keep(Rotation)
  /// Write a fragment of this size as a take does, into a temporary file. Only while no take is being recorded.
  /// Answered by ``TakeReport/cardTried(_:)``.
  case tryCard(byteCount: UInt32)
  /// Remove that file.
  case endTrial
  /// The clock was set, or set anew: Unix time minus boot clock time, in nanoseconds. The takes and stills of this boot
  /// are dated accordingly.
  case date(unixOffsetNanoseconds: Int64)
  /// The machine was suspended for this long, which the boot clock does not count: earlier dates stay as they are.
  case slept(nanoseconds: Int64)
  /// The interrupted take is not to be continued.
  case dropInterruption
  /// Replace the device's identity, for the next boot. Answered by ``TakeReport/identityReset(copyFailure:)`` or
  /// ``TakeReport/identityKept(_:)``.
  case resetIdentity(IdentityRecord)
  /// The devices are closed: release the rings' content. Answered by ``TakeReport/disarmed``.
  case disarm
}

/// How a take starts.
package struct TakeStart: BitwiseCopyable, Sendable {
  /// Identifies the take in reports; counted from 1 at boot.
  package var number: UInt32
  /// The timeline position at which the pre-roll begins.
  package var startPosition: TimelinePosition
  package var pressPosition: TimelinePosition
  /// The time of day of the press.
  package var pressUnixNanoseconds: Int64
  /// Unix time minus boot clock time, by which this is dated.
  package var unixOffsetNanoseconds: Int64
  /// The orientation of the device at the press.
  package var orientation: Orientation
  /// Whether it continues the take that was interrupted before boot.
  package var resumes: Bool
  /// What begins it.
  package var beginner: TakeBeginner
  /// When it continues in a new file; nil for the setting in ``WritingSettings``.
  package var split: SplitSettings?
  /// What it contains; nil for the setting in ``WritingSettings``.
  package var form: TakeForm?
  /// Where it begins, in degrees; empty if that is not known.
  package var place: FixedText<32> = ""
  /// Which file of the take is to be opened; nil for the first.
  var part: TakePart?

  package init(
    number: UInt32, startPosition: TimelinePosition, pressPosition: TimelinePosition, pressUnixNanoseconds: Int64,
    unixOffsetNanoseconds: Int64 = 0, orientation: Orientation, resumes: Bool = false,
    split: SplitSettings? = nil, form: TakeForm? = nil, beginner: TakeBeginner = .person
  ) {
    self.number = number
    self.startPosition = startPosition
    self.pressPosition = pressPosition
    self.pressUnixNanoseconds = pressUnixNanoseconds
    self.unixOffsetNanoseconds = unixOffsetNanoseconds
    self.orientation = orientation
    self.resumes = resumes
    self.split = split
    self.form = form
    self.beginner = beginner
  }
}

/// What begins a take.
package enum TakeBeginner: UInt8, BitwiseCopyable, Sendable {
  case person
  case schedule
  case trigger
  case timecode

  /// The name in the journal.
  package var name: StaticString {
    switch self {
    case .person: "person"
    case .schedule: "schedule"
    case .trigger: "trigger"
    case .timecode: "timecode"
    }
  }

  /// - Returns: a person for a name that is unknown.
  init(name: Span<UInt8>) {
    self =
      name.equals("schedule")
      ? .schedule : name.equals("trigger") ? .trigger : name.equals("timecode") ? .timecode : .person
  }
}

/// A rotation of the device during a take.
package struct TakeTurn: BitwiseCopyable, Sendable {
  /// When, on the timeline.
  package var position: TimelinePosition
  /// The orientation from then on.
  package var orientation: Orientation

  package init(position: TimelinePosition, orientation: Orientation) {
    self.position = position
    self.orientation = orientation
  }
}

/// A file to be opened: the first of a take, which waits for its first picture or until the previous take is written;
/// or the next of a split take.
struct PendingTake {
  var start: TakeStart
  /// Where the take ends, if that has been ordered already.
  var endPosition: TimelinePosition?
  /// Why it will end.
  var ending = TakeEnding.stopped
  /// Where the file starts; nil while that is undetermined.
  var opening: TakeOpening?
  /// The rotation at which the file ends.
  var turn: TakeTurn?

  /// The position from which the rings must keep data for it.
  var neededPosition: TimelinePosition { opening?.position ?? start.startPosition }
}

/// What the configuration and the device determine about files.
package struct WritingSettings: Sendable {
  /// What a take contains, and when it continues in a new file.
  package var record: RecordSettings
  /// How its files are named.
  package var naming: TakeNaming
  /// How long it takes until a button press is known.
  package var settlingMilliseconds: UInt64
  /// Bytes that stay free on the card for other uses, at least ``TakeLimits/leastReserveByteCount``: a take ends there,
  /// complete.
  package var reserveByteCount: UInt64
  /// Written into every file.
  package var identity: DeviceIdentity
  /// Seals every take.
  package var signingKey: SigningKey
  /// Name and version of the firmware, for the files' metadata.
  package var software: StaticString

  package init(
    record: RecordSettings, naming: TakeNaming = TakeNaming(NameSettings()), settlingMilliseconds: UInt64,
    reserveByteCount: UInt64 = TakeLimits.leastReserveByteCount,
    identity: DeviceIdentity, signingKey: SigningKey, software: StaticString
  ) {
    self.record = record
    self.naming = naming
    self.settlingMilliseconds = settlingMilliseconds
    self.reserveByteCount = reserveByteCount
    self.identity = identity
    self.signingKey = signingKey
    self.software = software
  }

  /// Free space needed to start a take: with less it would end within seconds.
  var firstByteCount: UInt64 { TakeLimits.firstByteCount(reserveByteCount: reserveByteCount) }

  /// What a take contains, and in which file format.
  func form(of start: TakeStart) -> TakeForm { start.form ?? record.form() }
}
