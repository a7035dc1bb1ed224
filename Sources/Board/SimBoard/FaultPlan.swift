import Port

/// Something that a simulated device does wrong for a while.
package struct Fault: Sendable {
  /// What it does wrong.
  package enum Kind: UInt8, Sendable {
    /// It is gone: every call fails. A device that delivers must be opened anew once it is back.
    case absent
    /// Another program holds it: as ``absent``, but opening it says that it is busy.
    case held
    /// It does nothing, and says nothing of it: no data comes and none is taken, storage keeps its caller waiting, a
    /// button or the accelerometer stays as it was, a sleeping thread sleeps on.
    case stalled
    /// Every call of the storage fails with `EIO`.
    case failing
    /// The storage has no space left: what needs some fails with `ENOSPC`.
    case full
    /// Of each write only the first half reaches the storage; then it fails with `EIO`.
    case tornWrites
  }

  /// Whose fault it is.
  package var device: Device
  /// What it does wrong.
  package var kind: Kind
  /// When, in nanoseconds since the world's start.
  package var nanoseconds: Range<UInt64>

  /// A fault of one device.
  package init(_ kind: Kind, of device: Device, nanoseconds: Range<UInt64>) {
    self.device = device
    self.kind = kind
    self.nanoseconds = nanoseconds
  }
}

/// Which simulated device does what wrong, and when: what was added, and what a seed draws.
package struct FaultPlan: Sendable {
  /// How many added faults are kept; one more replaces the oldest.
  package static var capacity: Int { 16 }

  private var added = InlineArray<16, Fault?>(repeating: nil)
  private var addedCount = 0
  /// Nil where nothing is drawn.
  private var noise: SimNoise?
  private var periodNanoseconds: UInt64 = 0

  /// No faults.
  package init() {}

  /// Each device that can have a fault has one in every period, drawn from `seed`; none lasts longer than half of the
  /// period, or ten seconds.
  /// - Parameter periodSeconds: 1 or more.
  package init(seed: UInt64, periodSeconds: UInt64) {
    noise = SimNoise(seed: seed, stream: 4)
    periodNanoseconds = periodSeconds * 1_000_000_000
  }

  /// Adds a fault. Where a device has several at a time, the one added last counts.
  package mutating func add(_ fault: Fault) {
    added[addedCount % Self.capacity] = fault
    addedCount += 1
  }

  /// Ends the added faults of a device; later ones are dropped, too.
  /// - Parameter instant: in nanoseconds since the world's start.
  package mutating func endFaults(of device: Device, atNanoseconds instant: UInt64) {
    for index in added.indices {
      guard let fault = added[index], fault.device == device else { continue }
      let start = min(fault.nanoseconds.lowerBound, instant)
      added[index]!.nanoseconds = start..<min(fault.nanoseconds.upperBound, instant)
    }
  }

  /// What a device does wrong at an instant, in nanoseconds since the world's start; nil when it works.
  package func fault(of device: Device, atNanoseconds instant: UInt64) -> Fault? {
    for age in 1...Self.capacity where age <= addedCount {
      let fault = added[(addedCount - age) % Self.capacity]
      if let fault, fault.device == device, fault.nanoseconds.contains(instant) { return fault }
    }
    guard let fault = drawnFault(of: device, inPeriodAtNanoseconds: instant) else { return nil }
    return fault.nanoseconds.contains(instant) ? fault : nil
  }

  private func drawnFault(of device: Device, inPeriodAtNanoseconds instant: UInt64) -> Fault? {
    guard let noise, let kinds = Self.kinds(of: device) else { return nil }
    let period = instant / periodNanoseconds
    let index = (period << 8 | UInt64(device.rawValue)) * 3
    let half = periodNanoseconds / 2
    let start = period * periodNanoseconds + noise.bits(at: index) % half
    let length = 1 + noise.bits(at: index + 1) % min(half, 10_000_000_000)
    let kind = kinds[Int(noise.bits(at: index + 2) % 4)]
    return Fault(kind, of: device, nanoseconds: start..<start + length)
  }

  /// Of what is drawn; nil for a device that has no faults.
  private static func kinds(of device: Device) -> InlineArray<4, Fault.Kind>? {
    switch device {
    case .microphone, .camera, .accelerometer: [.absent, .stalled, .absent, .stalled]
    case .speaker: [.absent, .held, .stalled, .stalled]
    case .storage: [.failing, .full, .tornWrites, .stalled]
    case .buttons, .console, .scheduler: InlineArray(repeating: .stalled)
    case .indicators, .encoder, .memory, .decoder, .view: nil
    }
  }
}
