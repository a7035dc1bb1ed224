import Base

/// A fault of a simulated device, for a limited time.
package struct Fault: Sendable {
  package enum Kind: UInt8, Sendable {
    /// The device is missing: every call fails. A capture or playback device must be opened again once it is back.
    case absent
    /// Another program uses the device: as ``absent``, but opening it reports that it is busy.
    case held
    /// The device does nothing and reports nothing: no data comes in or goes out, storage blocks its caller, buttons
    /// and the accelerometer keep their values, a sleeping thread does not wake.
    case stalled
    /// A sound card loses its samples without reporting it.
    case losing
    /// A microphone delivers digital silence.
    case dead
    /// A microphone's gain is far too high: most of its samples are at full scale.
    case clipping
    /// A microphone stops once by itself, and delivers nothing until it is restarted, which takes until the end of the
    /// fault.
    case stopping
    /// A sound card or a camera is missing for a moment, and then agrees to another format when opened.
    case changed
    /// A microphone or a camera delivers data that no real one would: noise, and bytes that are not a picture.
    case corrupt
    /// A microphone or a camera delivers some of its buffers twice.
    case doubling
    /// A camera's driver gives all pictures the same timestamp.
    case sameTimestamps
    /// A camera's driver gives pictures timestamps of ten seconds ago.
    case oldTimestamps
    /// A camera delivers black pictures.
    case black
    /// A camera delivers the same picture again and again.
    case frozen
    /// An accelerometer's bus is stuck: each read waits for its timeout. A battery's gauge does not answer.
    case hanging
    /// An accelerometer, a thermometer or a battery's gauge returns arbitrary numbers, a receiver's bytes are disturbed.
    case nonsense
    /// A receiver is wrong by a degree and an hour every other second.
    case jumping
    /// A receiver tells the 31st of February, and a date 1,024 weeks ago, by turns.
    case misdated
    /// Pressed buttons stay down.
    case stuck
    /// Calls that may block do: opening, closing, restarting and changing settings return at the end of the fault.
    /// Other calls work.
    case slow
    /// Every storage call fails with `EIO`.
    case failing
    /// The storage is full: calls that need space fail with `ENOSPC`.
    case full
    /// Only the first half of each write reaches the storage; then it fails with `EIO`.
    case tornWrites
  }

  package var device: Device
  package var kind: Kind
  /// The time of the fault, in nanoseconds since the world's start.
  package var nanoseconds: Range<UInt64>

  /// How long a device that comes back with another format is missing.
  static var changeNanoseconds: UInt64 { 200_000_000 }

  /// Whether calls that may block do.
  var isSlow: Bool { kind == .slow || kind == .stopping }

  package init(_ kind: Kind, of device: Device, nanoseconds: Range<UInt64>) {
    self.device = device
    self.kind = kind
    self.nanoseconds = nanoseconds
  }
}

/// The faults of all simulated devices: those added explicitly, and those drawn from a seed.
package struct FaultPlan: Sendable {
  /// How many added faults are kept; the next one replaces the oldest.
  package static var capacity: Int { 16 }

  private var added = InlineArray<16, Fault?>(repeating: nil)
  private var addedCount = 0
  /// Nil if no faults are drawn.
  private var noise: SimNoise?
  private var periodNanoseconds: UInt64 = 0

  package init() {}

  /// Draws faults from `seed`: each device that can fail has one fault per period. None lasts longer than half the
  /// period or ten seconds, whichever is shorter.
  /// - Parameter periodSeconds: 1 or more.
  package init(seed: UInt64, periodSeconds: UInt64) {
    noise = SimNoise(seed: seed, stream: 4)
    periodNanoseconds = periodSeconds * 1_000_000_000
  }

  /// Adds a fault. If several faults of a device overlap, the one added last counts.
  package mutating func add(_ fault: Fault) {
    added[addedCount % Self.capacity] = fault
    addedCount += 1
  }

  /// Ends the added faults of a device; faults that have not started yet are dropped.
  /// - Parameter instant: in nanoseconds since the world's start.
  package mutating func endFaults(of device: Device, atNanoseconds instant: UInt64) {
    for index in added.indices {
      guard let fault = added[index], fault.device == device else { continue }
      let start = min(fault.nanoseconds.lowerBound, instant)
      added[index]!.nanoseconds = start..<min(fault.nanoseconds.upperBound, instant)
    }
  }

  /// A device's fault at an instant, in nanoseconds since the world's start; nil if it works.
  package func fault(of device: Device, atNanoseconds instant: UInt64) -> Fault? {
    for age in 1...Self.capacity where age <= addedCount {
      let fault = added[(addedCount - age) % Self.capacity]
      if let fault, fault.device == device, fault.nanoseconds.contains(instant) { return fault }
    }
    guard let fault = drawnFault(of: device, inPeriodAtNanoseconds: instant) else { return nil }
    return fault.nanoseconds.contains(instant) ? fault : nil
  }

  /// Whether an added fault made a device absent at any time in this range, in nanoseconds since the world's start.
  package func hadAbsence(of device: Device, inNanoseconds time: Range<UInt64>) -> Bool {
    for index in added.indices {
      guard let fault = added[index], fault.device == device, fault.kind == .absent else { continue }
      if fault.nanoseconds.overlaps(time) { return true }
    }
    return false
  }

  private func drawnFault(of device: Device, inPeriodAtNanoseconds instant: UInt64) -> Fault? {
    guard let noise, let kinds = Self.kinds(of: device) else { return nil }
    let period = instant / periodNanoseconds
    let index = (period << 8 | UInt64(device.rawValue)) * 3
    let half = periodNanoseconds / 2
    let start = period * periodNanoseconds + noise.bits(at: index) % half
    let length = 1 + noise.bits(at: index + 1) % min(half, 10_000_000_000)
    let kind = kinds[Int(noise.bits(at: index + 2) % 8)]
    return Fault(kind, of: device, nanoseconds: start..<start + length)
  }

  /// The kinds that can be drawn for a device; nil for a device without faults.
  package static func kinds(of device: Device) -> InlineArray<8, Fault.Kind>? {
    switch device {
    case .microphone: [.absent, .stalled, .stopping, .slow, .losing, .changed, .corrupt, .doubling]
    case .camera: [.absent, .stalled, .slow, .changed, .corrupt, .doubling, .black, .frozen]
    case .accelerometer: [.absent, .stalled, .slow, .hanging, .nonsense, .absent, .hanging, .nonsense]
    case .speaker: [.absent, .held, .stalled, .slow, .changed, .absent, .held, .stalled]
    case .storage: [.failing, .full, .tornWrites, .stalled, .failing, .full, .tornWrites, .stalled]
    case .buttons: [.stalled, .stuck, .absent, .slow, .stalled, .stuck, .absent, .slow]
    case .receiver: [.absent, .stalled, .slow, .nonsense, .jumping, .misdated, .nonsense, .misdated]
    case .console, .scheduler: InlineArray(repeating: .stalled)
    default: nil
    }
  }
}

extension SimWorld {
  /// Applies the current fault to a storage call. In real time a stall blocks the call; in virtual time the storage
  /// workers are not stepped instead. A file opened before a card vanished stays unusable after the card is back.
  /// - Parameter openedAt: nil for anything that each call opens again.
  /// - Returns: whether only part of a write reaches the storage.
  @discardableResult func useStorage(
    needsSpace: Bool, _ path: borrowing FixedText<128>, openedAt: Instant? = nil
  ) throws(DeviceFailure) -> Bool {
    let openedAt = openedAt ?? now
    let life = openedAt.distance(since: start)..<max(now.distance(since: start), openedAt.distance(since: start))
    if faults.hadAbsence(of: .storage, inNanoseconds: life) { throw .simulated(.absent, path) }
    guard let fault = fault(of: .storage) else { return false }
    switch fault.kind {
    case .absent, .held, .failing: throw .simulated(fault.kind, path)
    case .full where needsSpace: throw .simulated(.full, path)
    case .full: return false
    case .tornWrites: return true
    case .stalled, .losing, .dead, .clipping, .stopping, .changed, .corrupt, .doubling, .sameTimestamps, .oldTimestamps,
      .black, .frozen, .hanging, .nonsense, .jumping, .misdated, .stuck, .slow:
      var clock = MonotonicClock()
      if mode == .real {
        clock.sleep(until: start + fault.nanoseconds.upperBound)
      }
      return false
    }
  }
}

extension DeviceFailure {
  static func simulated(_ kind: Fault.Kind, _ path: borrowing FixedText<128>) -> DeviceFailure {
    // ENODEV, ENOSPC, EIO.
    let (failureKind, number): (Kind, Int32) =
      switch kind {
      case .absent, .held: (.absent, 19)
      case .full: (.full, 28)
      default: (.failed, 5)
      }
    return DeviceFailure(
      device: .storage, kind: failureKind, subject: "\(copy path)", problem: "has a simulated fault",
      remedy: "wait until it is over", systemErrorNumber: number)
  }
}

/// The speed of a simulated disk.
package struct SimDisk: Sendable {
  /// The write rate; 0 if writing takes no time.
  package var bytesPerSecond: UInt64 = 0
  /// The time that a flush takes.
  package var flushNanoseconds: UInt64 = 0
  /// How long it stalls after every ``stallByteCount`` bytes.
  package var stallNanoseconds: UInt64 = 0
  /// 0 if it never stalls.
  package var stallByteCount: UInt64 = 0
  private var writtenByteCount: UInt64 = 0

  package init() {}

  /// - Returns: the duration of a write in nanoseconds.
  mutating func write(byteCount: UInt64) -> UInt64 {
    let before = writtenByteCount
    writtenByteCount += byteCount
    var nanoseconds = bytesPerSecond > 0 ? byteCount * 1_000_000_000 / bytesPerSecond : 0
    if stallByteCount > 0 {
      nanoseconds += (writtenByteCount / stallByteCount - before / stallByteCount) * stallNanoseconds
    }
    return nanoseconds
  }
}
