import Base
import Console
import Kit
import Wire

/// `tuner` on the console: requests to the worker, and the needle.
struct TunerService: Application, ~Copyable {
  private var worker: Job<TunerRequest, TunerReply>
  /// The frequency of A4 for the pending command, and when the command began.
  private var referenceHertz = 0.0
  private var start: Instant = 0
  /// What the display shows while the command is pending.
  private var reading = TunerReading(note: nil, cents: 0, hertz: 0, referenceHertz: 0)

  init(_ worker: consuming Job<TunerRequest, TunerReply>) { self.worker = worker }

  /// - Parameter format: the microphone's format; nil while there is none.
  mutating func run(referenceHertz: Double, _ format: AudioFormat?, _ console: inout ConsoleSession) {
    guard let format else { return console.refuse("the microphone is not open: arm the recorder first") }
    reading = TunerReading(note: nil, cents: 0, hertz: 0, referenceHertz: Float(referenceHertz))
    (self.referenceHertz, start) = (referenceHertz, console.now)
    worker.begin(format, &console)
  }

  func screen(_ surroundings: ApplicationSurroundings, _ console: borrowing ConsoleSession) -> ViewApplication? {
    worker.isAwaited(by: console) ? .tuner(reading) : nil
  }

  mutating func tick(_ format: AudioFormat?, _ console: inout ConsoleSession) {
    while worker.hasNews(for: console) {
      switch worker.next(&console, endsAtKey: console.isTerminal) {
      case .nothing: return
      case .unattended: break
      case .answered(let heard): serve(heard, &console)
      case .late:
        if let format { worker.begin(format, &console) } else { refuse("the microphone was closed", &console) }
      case .interrupted: leave(&console)
      }
    }
  }

  private mutating func serve(_ heard: TunerReply, _ console: inout ConsoleSession) {
    reading.note = nil
    switch heard {
    case .otherRate: return refuse("the microphone's rate has changed since boot: restart the recorder", &console)
    case .pitch(let hertz):
      let note = TunedNote(hertz: hertz, referenceHertz: referenceHertz)
      reading = TunerReading(
        note: UInt8(clamping: note.note), cents: Float(note.cents), hertz: Float(hertz),
        referenceHertz: Float(referenceHertz))
      guard console.isTerminal else { return console.answer(line(of: note, hertz)) }
      drawRow("\(line(of: note, hertz))  \(note.needle)", &console)
    case .noPitch, .tooSoon:
      if console.isTerminal {
        drawRow(FixedText(console.words("listening: any key ends the tuner").bytes), &console)
      } else if console.now >= start + Limits.tunerPatienceMilliseconds * 1_000_000 {
        return console.refuse("no pitch was heard")
      }
    }
    worker.wait(until: console.now + Limits.tunerMilliseconds * 1_000_000, &console)
  }

  /// `A4   +3.9 cents   441.00 Hz`, of the same length for every pitch.
  private func line(of note: TunedNote, _ hertz: Double) -> FixedText<256> {
    var line: FixedText<256> = "\(note.name)"
    var cents: FixedText<16> = note.cents < 0 ? "" : "+"
    cents.append(note.cents, decimals: 1)
    var frequency = FixedText<16>()
    frequency.append(hertz, decimals: 2)
    while line.byteCount + cents.byteCount < 9 { line.append(" ") }
    line.append("\(cents) cents" as FixedText<32>)
    while line.byteCount + frequency.byteCount < 24 { line.append(" ") }
    line.append("\(frequency) Hz" as FixedText<32>)
    return line
  }

  private func drawRow(_ text: FixedText<128>, _ console: inout ConsoleSession) {
    console.drawRow(FixedText(text.bytes))
  }

  private func leave(_ console: inout ConsoleSession) {
    if console.isTerminal { endRow(&console) }
    console.complete()
  }

  private func refuse(_ reason: StaticString, _ console: inout ConsoleSession) {
    if console.isTerminal { endRow(&console) }
    console.refuse("\(reason)")
  }

  private func endRow(_ console: inout ConsoleSession) {
    console.drawRow("")
  }
}

extension Limits {
  /// The interval between pitches of the tuner: five a second suit a needle.
  static var tunerMilliseconds: UInt64 { 200 }

  /// How long `tuner` waits for a pitch if nobody can press a key.
  static var tunerPatienceMilliseconds: UInt64 { 5000 }
}
