import Takes

/// The stills that were ordered and are not answered yet.
struct StillDesk {
  /// Who waits for which still since when.
  struct Wait {
    var number: UInt32
    var asker: Asker
    var sinceNanoseconds: UInt64
  }

  private(set) var orderCount: UInt32 = 0
  /// A finger's newest order, until it is told of or has taken too long. It may order the next one before.
  private(set) var buttonWait: Wait?
  /// The console's order, until it is answered or has taken too long; what becomes of it then is announced.
  private(set) var consoleWait: Wait?

  /// Notes an order.
  /// - Returns: its number.
  mutating func begin(for asker: Asker, atNanoseconds now: UInt64) -> UInt32 {
    orderCount &+= 1
    let wait = Wait(number: orderCount, asker: asker, sinceNanoseconds: now)
    switch asker {
    case .button: buttonWait = wait
    case .console: consoleWait = wait
    }
    return orderCount
  }

  /// Ends the wait for an order.
  /// - Returns: whom to tell what became of it.
  mutating func end(_ number: UInt32) -> Asker {
    if buttonWait?.number == number { buttonWait = nil }
    guard consoleWait?.number == number else { return .button }
    consoleWait = nil
    return .console
  }
}
