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
  /// The newest order, until it is answered or has taken too long; what becomes of one then is announced.
  private(set) var wait: Wait?

  /// Notes an order.
  /// - Returns: its number.
  mutating func begin(for asker: Asker, atNanoseconds now: UInt64) -> UInt32 {
    orderCount &+= 1
    wait = Wait(number: orderCount, asker: asker, sinceNanoseconds: now)
    return orderCount
  }

  /// Ends the wait for an order.
  /// - Returns: whom to tell what became of it.
  mutating func end(_ number: UInt32) -> Asker {
    guard let wait, wait.number == number else { return .button }
    self.wait = nil
    return wait.asker
  }
}
