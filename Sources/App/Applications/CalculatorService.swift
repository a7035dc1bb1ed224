import Base
import Catalog
import Console
import Kit
import Machine

/// The calculator: calculates and answers at once, and has the keeper's thread store the history.
struct CalculatorService: Application, ~Copyable {
  private var history: Job<HistoryRequest, HistoryReply>
  /// The last result since the start.
  private var answer: Quantity?
  /// A result that the history's queue had no space for: its command waits.
  private var unkept: CalculationLine?
  /// Until when the end of the program waits for results to be stored.
  private var keepingEnd: Instant = 0
  /// The pending command's request.
  private var asked: HistoryRequest?

  init(_ history: consuming Job<HistoryRequest, HistoryReply>) { self.history = history }

  mutating func run(_ command: CalculatorCommand, _ console: inout ConsoleSession) {
    switch command {
    case .enter:
      if console.isTerminal { console.reply("each line is calculated, an empty one ends") }
      enter(.calculator, &console)
    case .leave: enter(.commands, &console)
    case .calculate(let text, let goesOn): calculate(text, goesOn: goesOn, &console)
    case .history(let count): ask(.tell(count: count), &console)
    case .export(let path): ask(.export(path: path), &console)
    case .take(let path): ask(.take(path: path), &console)
    }
  }

  private func enter(_ mode: ConsoleMode, _ console: inout ConsoleSession) {
    console.mode = mode
    console.complete()
  }

  /// Waits, for a while, only if somebody calculates faster than the card stores.
  private mutating func calculate(_ text: FixedText<256>, goesOn: Bool, _ console: inout ConsoleSession) {
    do throws(CalculationError) {
      let calculation = try Calculation(text.bytes, answer: answer, goesOn: goesOn)
      answer = calculation.result
      console.reply(calculation.line)
      keepingEnd = console.now + Limits.jobSpaceMilliseconds * 1_000_000
      if history.send(.keep(calculation.line), &console) != nil { return console.complete() }
      unkept = calculation.line
      history.wait(until: keepingEnd, &console)
    } catch {
      console.refuse(error.line)
    }
  }

  private mutating func ask(_ request: HistoryRequest, _ console: inout ConsoleSession) {
    asked = request
    history.begin(request, &console)
  }

  mutating func tick(_ microphone: AudioFormat?, _ console: inout ConsoleSession) {
    while history.hasNews(for: console) {
      if let line = unkept, history.send(.keep(line), &console) != nil { endWaiting(&console) }
      switch history.next(&console) {
      case .nothing: return
      case .answered(.line(let line)): console.reply(line)
      case .answered(.done(let count)): end(count, &console)
      case .answered(.refused(let refusal)): console.refuse(refusal.line)
      // A result that cannot be stored is still a result.
      case .unattended(.refused(let refusal), _):
        console.announce("the calculator's history is not complete: \(refusal.line)" as FixedText<440>)
      case .unattended: break
      case .late where unkept == nil: console.refuse("the card does not answer: try again in a moment")
      case .interrupted, .late:
        if unkept != nil {
          console.announce("the calculator's history does not answer: the last result is not in it")
        }
        endWaiting(&console)
      }
    }
  }

  private mutating func endWaiting(_ console: inout ConsoleSession) {
    unkept = nil
    console.complete()
  }

  private func end(_ count: Int, _ console: inout ConsoleSession) {
    switch asked {
    case .export: console.reply("exported \(count: count, "calculation")")
    case .take: console.reply("imported \(count: count, "calculation")")
    default: break
    }
    console.complete()
  }

  /// Whether the end of the program waits for results being stored; it does not wait for a stalled card.
  func isKeeping(at now: Instant) -> Bool { now < keepingEnd && !history.isDone }
}
