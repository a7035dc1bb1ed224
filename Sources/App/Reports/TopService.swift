import Base
import Console
import Machine
import Record
import Wire

/// `top`: the recorder's state, redrawn in place. Each tick composes one row, so that no tick has much to do.
struct TopService: ~Copyable {
  private let place = StaysInPlace()
  private var screen = DividedScreen()
  private(set) var rates = TopRates()
  private var nextFrame: Instant = 0
  private var row = 0

  /// At each reading of the meters, watched or not: high-water marks cover the whole time.
  mutating func follow(_ sample: TopRates.Sample, at now: Instant) { rates.follow(sample, at: now) }

  mutating func run(on size: TerminalSize, _ console: inout ConsoleSession, at now: Instant) {
    row = 0
    nextFrame = now + Limits.frameMilliseconds * 1_000_000
    console.clearCells()
    if !screen.divideForCells(on: size, &console), console.isTerminal, !console.looks.isDumb {
      return console.refuse(Self.needsTerminal)
    }
    console.pending = .top
  }

  /// At each tick while the command is pending.
  /// - Parameter size: the terminal's present size.
  /// - Returns: the row to compose now.
  mutating func step(on size: TerminalSize, _ console: inout ConsoleSession, at now: Instant) -> Int? {
    if screen.isDivided, console.takeKey() {
      end(&console)
      return nil
    }
    if row < ConsoleSession.cellRowCount {
      row += 1
      return row - 1
    }
    guard now >= nextFrame else { return nil }
    guard screen.isDivided else {
      // Nothing can be drawn in place: the rows become the reply.
      console.replyCells()
      console.complete()
      return nil
    }
    nextFrame = now + Limits.frameMilliseconds * 1_000_000
    row = 0
    console.sendCells()
    if !screen.divideForCells(on: size, &console) {
      leave(&console)
      console.refuse(Self.needsTerminal)
    }
    return nil
  }

  private static var needsTerminal: FixedText<256> { "top needs a terminal of 80 x 24" }

  /// At exit: restores the terminal.
  mutating func leave(_ console: inout ConsoleSession) {
    screen.undivide(&console)
  }

  private mutating func end(_ console: inout ConsoleSession) {
    leave(&console)
    console.complete()
  }
}

/// The rates between two readings.
struct TopRates {
  /// Running counts, and the levels of the rings.
  struct Sample {
    var pictureCount: UInt64
    /// The bytes of the open take.
    var byteCount: UInt64
    var soundPercent: Int
    var picturePercent: Int
  }

  private(set) var picturesPerSecond = 0.0
  /// Bytes a second that the card confirms.
  private(set) var bytesPerSecond: UInt64 = 0
  private(set) var soundPercent = 0
  private(set) var picturePercent = 0
  private(set) var highestSoundPercent = 0
  private(set) var highestPicturePercent = 0
  private var last: Sample?
  private var lastInstant: Instant = 0

  mutating func follow(_ sample: Sample, at now: Instant) {
    soundPercent = sample.soundPercent
    picturePercent = sample.picturePercent
    highestSoundPercent = max(highestSoundPercent, soundPercent)
    highestPicturePercent = max(highestPicturePercent, picturePercent)
    let nanoseconds = now.distance(since: lastInstant)
    guard nanoseconds >= Limits.topRateMilliseconds * 1_000_000 else { return }
    if let last {
      let seconds = Double(nanoseconds) / 1e9
      picturesPerSecond = Double(sample.pictureCount &- last.pictureCount) / seconds
      // The count restarts with another file: that is no growth.
      let growth = sample.byteCount > last.byteCount ? sample.byteCount - last.byteCount : 0
      bytesPerSecond = UInt64(Double(growth) / seconds)
    }
    last = sample
    lastInstant = now
  }
}

extension Services {
  /// At each reading of the meters.
  mutating func followTop(at now: Instant) {
    let sample = TopRates.Sample(
      pictureCount: recording.capture.video.pictureCount, byteCount: recording.progress.byteCount,
      soundPercent: recording.capture.soundFillPercent, picturePercent: recording.pictures.fillPercent)
    top.follow(sample, at: now)
  }

  /// At each tick while `top` is pending.
  mutating func advanceTop(_ machine: borrowing Hardware, _ metrics: borrowing LoopMetrics, at now: Instant) {
    levels.follow(recording.capture, &console)
    guard let row = top.step(on: machine.consoleLine.terminalSize, &console, at: now) else { return }
    var view = ViewStatus()
    recording.describe(in: &view, at: now)
    let composed = TopRow(
      status: status(machine, metrics, at: now), faults: view.faults, rates: top.rates,
      levels: recording.capture.levels, truePeaks: levels.truePeaks)
    composed.put(row, on: &console)
  }
}

/// `watch`: the reply of another command, redrawn in place.
struct WatchService {
  private var screen = DividedScreen()
  private var line: FixedText<128> = ""
  private var periodNanoseconds: UInt64 = 0
  private var nextRun: Instant = 0
  private var nextFrame: Instant = 0

  mutating func run(
    _ line: FixedText<128>, seconds: UInt32, on size: TerminalSize, _ console: inout ConsoleSession, at now: Instant
  ) {
    guard screen.divideForCells(on: size, &console) else { return console.refuse(Self.needsTerminal) }
    self.line = line
    periodNanoseconds = UInt64(seconds) * 1_000_000_000
    nextRun = now
    nextFrame = now + Limits.frameMilliseconds * 1_000_000
    console.pending = .watch
  }

  private static var needsTerminal: FixedText<256> { "watch needs a terminal of 80 x 24 that can move its cursor" }

  /// At each tick while the command is pending and the watched one is not.
  /// - Parameter size: the terminal's present size.
  mutating func step(on size: TerminalSize, _ console: inout ConsoleSession, at now: Instant) {
    if console.takeKey() { return end(&console) }
    if now >= nextFrame {
      nextFrame = now + Limits.frameMilliseconds * 1_000_000
      let old = screen
      guard screen.divideForCells(on: size, &console) else {
        leave(&console)
        return console.refuse(Self.needsTerminal)
      }
      if screen != old { nextRun = now }
      console.sendCells()
    }
    guard now >= nextRun else { return }
    nextRun = now + periodNanoseconds
    console.beginCapture(of: line)
  }

  /// At exit: restores the terminal.
  mutating func leave(_ console: inout ConsoleSession) {
    screen.undivide(&console)
  }

  private mutating func end(_ console: inout ConsoleSession) {
    leave(&console)
    console.complete()
  }
}

extension Limits {
  /// The interval between drawings of `top` or `watch`. At 115,200 baud a drawing of 107 bytes takes 9 ms, so the
  /// response to a key, which comes after it, is there within 20 ms.
  static var frameMilliseconds: UInt64 { 100 }

  /// Bytes per drawing: redrawing in place takes 1,150 bytes a second, or half of a line slower than 23,000 baud, at 10
  /// bits per byte. 1/16 of it is left for other output. A single change needs 32.
  static func frameByteCount(bitsPerSecond: UInt32) -> Int {
    let perSecond = min(1150, Int(bitsPerSecond) / 20)
    return max(perSecond * 15 / 16 * Int(frameMilliseconds) / 1000, 32)
  }

  /// The period over which `top` measures its rates.
  static var topRateMilliseconds: UInt64 { 1000 }
}
