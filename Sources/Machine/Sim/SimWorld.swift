import Base
import Synchronization

/// How time passes on the simulated machine.
package enum SimTimeMode: UInt8, Sendable {
  /// The system's clocks.
  case real
  /// Time passes as fast as the program runs: sleeping advances it at once. The same seed gives the same bytes.
  case virtual
}

/// The world shared by all simulated devices: its time, its start, its temperature, and its faults.
///
/// A handle: copies refer to the same world.
@safe package struct SimWorld: BitwiseCopyable, Sendable {
  /// Not 0, so that an instant mistaken for a duration is noticed.
  static var virtualStart: Instant { 100_000_000_000 }

  // Safe: the cell is in boot memory, which outlives every thread, and is only read and written atomically.
  /// The current time of a virtual world; nil in real time.
  private nonisolated(unsafe) let virtualNow: UnsafeMutablePointer<Atomic<UInt64>>?
  // Safe: also in boot memory, and written only in a virtual world, where everything runs on one thread.
  private nonisolated(unsafe) let plan: UnsafeMutablePointer<FaultPlan>
  private nonisolated(unsafe) let wall: UnsafeMutablePointer<SimWallClock>
  private nonisolated(unsafe) let heatCell: UnsafeMutablePointer<SimHeat>
  private nonisolated(unsafe) let diskCell: UnsafeMutablePointer<SimDisk>
  private nonisolated(unsafe) let sleepCell: UnsafeMutablePointer<SimSleep>
  /// When the disk will be free again.
  private nonisolated(unsafe) let diskEnd: UnsafeMutablePointer<Atomic<UInt64>>
  /// The error in seconds of the clock as set by hand; `Int64.min` before that.
  private nonisolated(unsafe) let hand: UnsafeMutablePointer<Atomic<Int64>>
  /// How many times the microphone's samples are doubled.
  private nonisolated(unsafe) let doublings: UnsafeMutablePointer<Atomic<Int64>>
  /// The instant when the world was created, of frame 0 and sample 0.
  package let start: Instant

  /// - Returns: nil if `memory` is used up.
  package init?(
    _ mode: SimTimeMode, faults: FaultPlan = FaultPlan(), wall: SimWallClock = SimWallClock(),
    heat: SimHeat = SimHeat(), in memory: inout BootMemory
  ) {
    guard let plan = unsafe memory.place(faults), let wall = unsafe memory.place(wall),
      let heatCell = unsafe memory.place(heat), let hand = unsafe memory.place(Atomic(Int64.min)),
      let doublings = unsafe memory.place(Atomic<Int64>(0)), let diskCell = unsafe memory.place(SimDisk()),
      let diskEnd = unsafe memory.place(Atomic<UInt64>(0)), let sleepCell = unsafe memory.place(SimSleep()),
      let cell = unsafe memory.place(Atomic(Self.virtualStart.rawValue))
    else { return nil }
    unsafe self.plan = plan
    unsafe self.wall = wall
    unsafe self.heatCell = heatCell
    unsafe self.hand = hand
    unsafe self.diskCell = diskCell
    unsafe self.diskEnd = diskEnd
    unsafe self.sleepCell = sleepCell
    unsafe self.doublings = doublings
    start = mode == .real ? .now : Self.virtualStart
    unsafe virtualNow = mode == .real ? nil : cell
  }

  /// How time passes in this world.
  package var mode: SimTimeMode { unsafe virtualNow == nil ? .real : .virtual }

  package var now: Instant {
    unsafe virtualNow.map { unsafe Instant($0.pointee.load(ordering: .relaxed)) } ?? .now
  }

  /// Advances a virtual world's time; real time passes by itself.
  func advance(to instant: Instant) {
    guard instant > now else { return }
    unsafe virtualNow?.pointee.store(instant.rawValue, ordering: .relaxed)
  }

  /// The microphone's gain: each doubling is 6.02 dB.
  package var gainDoublings: Int64 {
    get { unsafe doublings.pointee.load(ordering: .relaxed) }
    nonmutating set { unsafe doublings.pointee.store(newValue, ordering: .relaxed) }
  }

  /// The faults. They can be changed only in a virtual world.
  package var faults: FaultPlan {
    get { unsafe plan.pointee }
    nonmutating set {
      precondition(mode == .virtual, "the faults of a world with several threads are fixed at its start")
      unsafe plan.pointee = newValue
    }
  }

  /// The wall clock. It can be changed only in a virtual world.
  package var wallClock: SimWallClock {
    get { unsafe wall.pointee }
    nonmutating set {
      precondition(mode == .virtual, "the clock of a world with several threads is fixed at its start")
      unsafe wall.pointee = newValue
      unsafe hand.pointee.store(.min, ordering: .relaxed)
    }
  }

  /// What the clock shows now.
  var reading: SimWallClock.Reading {
    let reading = wallClock.reading(atNanoseconds: now - start)
    let off = unsafe hand.pointee.load(ordering: .relaxed)
    guard off != .min, reading != .synchronised || !isKeptRight else { return reading }
    return .off(seconds: off)
  }

  /// Whether a time server keeps a clock without a fault right: in real time, whether one keeps the system's.
  private var isKeptRight: Bool { mode == .virtual || MonotonicClock().source == .synchronised }

  /// Sets the clock by hand: it shows this many seconds more than the true time, until a time server sets it.
  func setByHand(offSeconds: Int64) { unsafe hand.pointee.store(offSeconds, ordering: .relaxed) }

  /// The temperature of the machine. It can be changed only in a virtual world.
  package var heat: SimHeat {
    get { unsafe heatCell.pointee }
    nonmutating set {
      precondition(mode == .virtual, "the heat of a world with several threads is fixed at its start")
      unsafe heatCell.pointee = newValue
    }
  }

  /// The speed of the disk. It can be changed only in a virtual world.
  package var disk: SimDisk {
    get { unsafe diskCell.pointee }
    nonmutating set {
      precondition(mode == .virtual, "the disk of a world with several threads is fixed at its start")
      unsafe diskCell.pointee = newValue
    }
  }

  /// The machine's sleep. It can be changed only in a virtual world, where everything runs on one thread.
  package var sleep: SimSleep {
    get { unsafe sleepCell.pointee }
    nonmutating set { if mode == .virtual { unsafe sleepCell.pointee = newValue } }
  }

  /// Whether the disk is still busy with what it was given.
  var isDiskBusy: Bool { unsafe now.rawValue < diskEnd.pointee.load(ordering: .relaxed) }

  /// Gives the disk something to write. In a virtual world, where a call does not block, the disk accepts nothing else
  /// meanwhile.
  func writeToDisk(byteCount: UInt64) {
    guard mode == .virtual else { return }
    occupyDisk(nanoseconds: unsafe diskCell.pointee.write(byteCount: byteCount))
  }

  /// As ``writeToDisk(byteCount:)``.
  func flushDisk() {
    guard mode == .virtual else { return }
    occupyDisk(nanoseconds: unsafe diskCell.pointee.flushNanoseconds)
  }

  private func occupyDisk(nanoseconds: UInt64) {
    guard nanoseconds > 0 else { return }
    let start = max(unsafe diskEnd.pointee.load(ordering: .relaxed), now.rawValue)
    unsafe diskEnd.pointee.store(start + nanoseconds, ordering: .relaxed)
  }

  /// A device's fault now; nil if it works.
  func fault(of device: Device) -> Fault? { fault(of: device, at: now) }

  /// A device's fault at an instant of the monotonic clock; nil if it works.
  func fault(of device: Device, at instant: Instant) -> Fault? {
    unsafe plan.pointee.fault(of: device, atNanoseconds: instant.distance(since: start))
  }

  /// Why a device cannot be opened or used now; nil if it can.
  func failure(of device: Device, _ subject: FixedText<64> = "", isOpening: Bool = false) -> DeviceFailure? {
    guard let fault = fault(of: device) else { return nil }
    switch fault.kind {
    case .absent, .held, .failing, .full, .tornWrites: break
    case .changed where now < start + fault.nanoseconds.lowerBound + Fault.changeNanoseconds: break
    case .stalled, .losing, .dead, .clipping, .stopping, .changed, .corrupt, .doubling, .sameTimestamps, .oldTimestamps,
      .black, .frozen, .hanging, .nonsense, .jumping, .misdated, .stuck, .slow:
      return nil
    }
    guard fault.kind == .held && isOpening else {
      return DeviceFailure(
        device: device, kind: .absent, subject: subject, problem: device.isSeveral ? "were unplugged" : "was unplugged",
        remedy: device.isSeveral ? "plug them in" : "plug it in")
    }
    return DeviceFailure(
      device: device, kind: .busy, subject: subject, problem: "is used by another program", remedy: "end that program")
  }

  /// Returns once the device's fault lets a blocking call return.
  func sitOut(_ device: Device) {
    guard let fault = fault(of: device), fault.isSlow else { return }
    wait(until: start + fault.nanoseconds.upperBound)
  }

  /// Takes time only in a real world.
  func wait(until instant: Instant) {
    var system = MonotonicClock()
    switch mode {
    case .real: system.sleep(until: instant)
    case .virtual: advance(to: instant)
    }
  }

  /// Seeded bits for a device whose fault is to deliver nonsense.
  func nonsense(_ place: UInt64) -> UInt64 { SplitMix64.bits(at: place, ofSeed: 5) }

  /// The current time for a device; it stands still while the device is stalled.
  func instant(of device: Device, at now: Instant) -> Instant {
    guard let fault = fault(of: device, at: now), fault.kind == .stalled else { return now }
    return start + fault.nanoseconds.lowerBound
  }
}

extension DeviceFailure {
  static func notOpen(_ device: Device) -> DeviceFailure {
    DeviceFailure(
      device: device, kind: .absent, subject: "", problem: device.isSeveral ? "are not open" : "is not open",
      remedy: device.isSeveral ? "open them first" : "open it first")
  }
}

/// The system's clocks, or a virtual one that jumps to the end of every sleep.
package struct SimClock: ClockDriver, ~Copyable {
  private let world: SimWorld
  private var system = MonotonicClock()

  /// The clock of `world`.
  package init(world: SimWorld) { self.world = world }

  package var now: Instant { world.now }

  package var unixNanoseconds: Int64 {
    switch world.reading {
    case .synchronised: trueUnixNanoseconds
    case .epoch: Int64(world.now - world.start) + Int64(clamping: suspendedNanoseconds)
    case .off(let seconds): trueUnixNanoseconds + seconds * 1_000_000_000
    }
  }

  package var suspendedNanoseconds: UInt64 { world.sleep.suspendedNanoseconds }

  /// The true time, whatever the clock shows.
  var trueUnixNanoseconds: Int64 {
    let suspended = Int64(clamping: suspendedNanoseconds)
    return switch world.mode {
    case .real: system.unixNanoseconds + suspended
    case .virtual: world.wallClock.startUnixSeconds * 1_000_000_000 + Int64(world.now - world.start) + suspended
    }
  }

  /// As the system reports it in a real world whose clock has no fault.
  package var source: ClockSource {
    switch (world.reading, world.mode) {
    case (.synchronised, .real): system.source
    case (.synchronised, .virtual): .synchronised
    case (.epoch, _), (.off, _): ClockSource(isSynchronised: false, unixSeconds: unixSeconds)
    }
  }

  /// As the system reports it in a real world; a virtual one has a good time server.
  package var error: ClockError? {
    switch (world.reading, world.mode) {
    case (.synchronised, .real): system.error
    case (.synchronised, .virtual): ClockError(mostNanoseconds: 12_300_000, likelyNanoseconds: 400_000)
    case (.epoch, _), (.off, _): nil
    }
  }

  /// Takes time only in a real world. A stall of the scheduler prolongs the sleep.
  package mutating func sleep(until instant: Instant) {
    let fault = world.fault(of: .scheduler, at: instant)
    let end = fault.map { world.start + $0.nanoseconds.upperBound } ?? instant
    switch world.mode {
    case .real: system.sleep(until: end)
    case .virtual: world.advance(to: end)
    }
  }
}

/// Seeded noise as a function of its position: any part can be generated at any time, and again.
struct SimNoise: Sendable {
  private let seed: UInt64

  /// - Parameter stream: makes the noise of one device independent of another's.
  init(seed: UInt64, stream: UInt64) { self.seed = SplitMix64.bits(at: stream, ofSeed: seed) }

  /// 64 uniform random bits.
  func bits(at place: UInt64) -> UInt64 { SplitMix64.bits(at: place, ofSeed: seed) }
}
