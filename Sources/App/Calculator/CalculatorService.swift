import Base
import Catalog
import Console
import Kit
import Machine

/// The calculator: calculates at once, and has the keeper's thread keep the history.
struct CalculatorService: ~Copyable {
  private var orders: QueueProducer<HistoryOrder>
  private var reports: QueueConsumer<HistoryReport>
  private var orderCount: UInt32 = 0
  /// The last result since the start.
  private var answer: Quantity?

  init(orders: consuming QueueProducer<HistoryOrder>, reports: consuming QueueConsumer<HistoryReport>) {
    self.orders = orders
    self.reports = reports
  }

  /// Runs a command.
  mutating func run(_ command: CalculatorCommand, _ console: inout ConsoleSession, at now: Instant) {
    switch command {
    case .enter:
      if console.isTerminal { console.reply("each line is calculated, an empty one ends") }
      enter(.calculator, &console)
    case .leave: enter(.commands, &console)
    case .calculate(let text, let goesOn): calculate(text, goesOn: goesOn, &console, at: now)
    case .history(let count): ask(.tell(count: count), .telling, &console)
    case .export(let path): ask(.export(path: path), .exporting, &console)
    case .take(let path): ask(.take(path: path), .importing, &console)
    }
  }

  private func enter(_ mode: ConsoleMode, _ console: inout ConsoleSession) {
    console.mode = mode
    console.complete()
  }

  private mutating func calculate(
    _ text: FixedText<256>, goesOn: Bool, _ console: inout ConsoleSession, at now: Instant
  ) {
    do throws(CalculationError) {
      let calculation = try Calculation(text.bytes, answer: answer, goesOn: goesOn)
      answer = calculation.result
      console.reply(calculation.line)
      if order(.keep(calculation.line)) {
        let end = now + Limits.historyAnswerMilliseconds * 1_000_000
        console.pending = .calculator(number: orderCount, .keeping(until: end))
      } else {
        console.announce("the calculator's history does not answer: the last result is not in it")
        console.complete()
      }
    } catch {
      console.refuse(error.line)
    }
  }

  private mutating func ask(_ task: HistoryOrder.Task, _ wait: CalculatorWait, _ console: inout ConsoleSession) {
    guard order(task) else { return console.refuse("the card does not answer: try again in a moment") }
    console.pending = .calculator(number: orderCount, wait)
  }

  private mutating func order(_ task: HistoryOrder.Task) -> Bool {
    orderCount &+= 1
    return orders.push(HistoryOrder(number: orderCount, task: task))
  }

  /// At each tick: tells what has become of the orders.
  mutating func step(_ console: inout ConsoleSession) {
    while let report = reports.peek() {
      let wait = console.pending?.calculatorWait(for: report.number)
      if wait != nil, !console.canReply { return }
      _ = reports.pop()
      switch report.outcome {
      case .line(let line): if wait != nil { console.reply(line) }
      case .done(let count): wait?.end(count, &console)
      case .refused(let refusal): Self.refuse(refusal, wait, &console)
      }
    }
  }

  /// A result that cannot be kept is a result all the same.
  private static func refuse(_ refusal: HistoryRefusal, _ wait: CalculatorWait?, _ console: inout ConsoleSession) {
    switch wait {
    case .telling, .exporting, .importing: console.refuse(refusal.line)
    case .keeping, nil:
      console.announce("the calculator's history is not complete: \(refusal.line)" as FixedText<440>)
      if wait != nil { console.complete() }
    }
  }

  /// At each tick while a command waits: after ctrl-C, and after the time for storing a result, it is complete.
  func checkWait(_ wait: CalculatorWait, _ console: inout ConsoleSession, at now: Instant) {
    if case .keeping(let end) = wait, now >= end { return console.complete() }
    if console.takeInterrupt() { console.complete() }
  }
}

extension PendingCommand {
  /// What the command waits for that has given this order; nil if it is another command.
  fileprivate func calculatorWait(for number: UInt32) -> CalculatorWait? {
    if case .calculator(number, let wait) = self { wait } else { nil }
  }
}

extension CalculatorWait {
  /// Completes the command.
  fileprivate func end(_ count: Int, _ console: inout ConsoleSession) {
    let noun: StaticString = count == 1 ? "calculation" : "calculations"
    switch self {
    case .exporting: console.reply("exported \(grouped: count) \(noun)")
    case .importing: console.reply("imported \(grouped: count) \(noun)")
    case .keeping, .telling: break
    }
    console.complete()
  }
}
