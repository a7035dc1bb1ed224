import Base
import Machine
import Wire

/// Keeps the live view's process running: starts it, passes its output to the loop, and restarts it when it has ended,
/// after a delay that grows each time it does not last. It also passes on the messages of the monitor, which is not a
/// child process, and the results of the service that searches for servers.
///
/// A frozen process is left alone. It disturbs nothing: its memory is read-only and its socket is never waited for.
/// Only a debugger freezes it, or a display driver inside the kernel, where a kill would have no effect either.
struct ViewWorker: SteppedWorker, ~Copyable {
  private enum State {
    case resting(until: Instant, thenSeconds: UInt64)
    case running(since: Instant, quietSince: Instant, restSeconds: UInt64)
  }

  private var process: View
  private var news: QueueProducer<FixedText<256>>
  private var listeners: QueueProducer<ListenerList>
  private var orders: QueueProducer<FixedText<256>>
  private var searches: JobWorkerEnd<SearchRequest, SearchEvent>
  /// The ticket of the current or last search.
  private var searchTicket: UInt32 = 0
  private var state = State.resting(until: 0, thenSeconds: 1)
  private var told = ReportedLines()
  private var reportedByMonitor = ReportedLines()
  /// When the monitor last sent a line to be printed.
  private var monitorQuietSince: Instant = 0

  init(
    process: consuming View, news: consuming QueueProducer<FixedText<256>>,
    listeners: consuming QueueProducer<ListenerList>, orders: consuming QueueProducer<FixedText<256>>,
    searches: consuming JobWorkerEnd<SearchRequest, SearchEvent>
  ) {
    self.process = process
    self.news = news
    self.listeners = listeners
    self.orders = orders
    self.searches = searches
  }

  /// Checks the process once. Nothing here is so urgent that it cannot wait for the next step.
  /// - Returns: false.
  @discardableResult mutating func step(at now: Instant) -> Bool {
    for _ in 0..<Limits.viewLinesPerLook {
      guard hear(process.hearMonitor(at: now), at: now) else { break }
    }
    stepSearch()
    guard process.isWanted else { return false }
    switch state {
    case .resting(let until, let seconds): if now >= until { start(at: now, seconds) }
    case .running:
      for _ in 0..<Limits.viewLinesPerLook {
        guard hear(process.receive(), at: now) else { break }
      }
    }
    return false
  }

  /// The longest delay of a line from the display's process, and of noticing its end.
  var patienceNanoseconds: UInt64 { Self.patienceNanoseconds(process) }

  private static func patienceNanoseconds(_ process: borrowing View) -> UInt64 { process.patienceNanoseconds }

  /// Results that do not fit into the loop's queue wait at their source.
  private mutating func stepSearch() {
    while searches.answers.freeCount > 0, let request = searches.requests.pop() {
      switch request.value {
      case .end: process.endSearch()
      case .begin(let order):
        searchTicket = request.ticket
        do throws(SearchProblem) { try process.search(order) } catch { tell(.failed(error)) }
      }
    }
    while searches.answers.freeCount > 0, let event = process.nextSearchEvent() { tell(event) }
  }

  private mutating func tell(_ event: SearchEvent) {
    _ = searches.answers.push(Ticketed(ticket: searchTicket, value: event))
  }

  /// A list that arrives while the last one has not been taken is lost: the monitor sends the next within a second.
  /// - Returns: whether there may be more to read.
  private mutating func hear(_ word: MonitorEvent, at now: Instant) -> Bool {
    switch word {
    case .nothing: return false
    case .message(.news(let line)): tellOfMonitor(line, at: now)
    case .message(.listeners(let list)): _ = listeners.push(list)
    // The monitor sends no more than fit.
    case .message(.order(let line)): _ = orders.push(line)
    case .ended:
      _ = listeners.push(ListenerList())
      tellOfMonitor("listeners: the program that serves them is gone, looking for it again", at: now)
    }
    return true
  }

  private mutating func tellOfMonitor(_ line: FixedText<256>, at now: Instant) {
    if now - monitorQuietSince >= Limits.viewQuietNanoseconds { reportedByMonitor = ReportedLines() }
    monitorQuietSince = now
    if reportedByMonitor.isNew(line) { _ = news.push(line) }
  }

  private mutating func start(at now: Instant, _ restSeconds: UInt64) {
    do throws(DeviceFailure) {
      try process.start()
      state = .running(since: now, quietSince: now, restSeconds: restSeconds)
    } catch {
      tell(error.line)
      rest(at: now, restSeconds)
    }
  }

  /// - Returns: whether there may be more to read.
  private mutating func hear(_ word: ViewEvent, at now: Instant) -> Bool {
    guard case .running(let since, let quietSince, let restSeconds) = state else { return false }
    switch word {
    case .nothing: return false
    case .line(let line):
      if now - quietSince >= Limits.viewQuietNanoseconds { told = ReportedLines() }
      state = .running(since: since, quietSince: now, restSeconds: restSeconds)
      tell(line)
      return true
    case .ended(let ending):
      let hasLasted = now - since >= Limits.viewQuietNanoseconds
      if hasLasted { told = ReportedLines() }
      tell("live view: \(ending), restarting it")
      rest(at: now, hasLasted ? 1 : restSeconds)
      return false
    }
  }

  private mutating func rest(at now: Instant, _ seconds: UInt64) {
    state = .resting(until: now + seconds * 1_000_000_000, thenSeconds: min(2 * seconds, Limits.viewLongestRestSeconds))
  }

  /// Lines that do not fit into the loop's queue are lost: it holds more than one burst of ``ReportedLines``.
  private mutating func tell(_ line: FixedText<256>) {
    if told.isNew(line) { _ = news.push(line) }
  }
}

/// The lines printed since the process was last healthy: a fault that repeats is printed once, and a process that
/// floods the console is muted.
struct ReportedLines {
  /// FNV-1a hashes of the lines (draft-eastlake-fnv). A line whose hash collides is lost: a chance of 1 in 2^64.
  private var hashes = InlineArray<16, UInt64>(repeating: 0)
  private var count = 0

  /// Whether `line` is new and is to be printed; after 16 different lines no more are printed.
  mutating func isNew(_ line: borrowing FixedText<256>) -> Bool {
    let hash = Self.hash(of: line)
    guard count < hashes.count else { return false }
    for index in 0..<count where hashes[index] == hash { return false }
    hashes[count] = hash
    count += 1
    return true
  }

  private static func hash(of line: borrowing FixedText<256>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in line.bytes.indices { hash = (hash ^ UInt64(line.bytes[index])) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}

extension Limits {
  /// The most lines read from a display's process at a time: a socket's buffer holds some hundreds.
  static var viewLinesPerLook: Int { 64 }

  /// The longest delay before a restart of the display's process, after 1, 2, 4 … seconds: a display that is plugged in
  /// starts within that time, and a program that cannot run costs next to nothing.
  static var viewLongestRestSeconds: UInt64 { 60 }

  /// A display's process that has run, or been silent, for this long is healthy: its next line is printed even if
  /// repeated.
  static var viewQuietNanoseconds: UInt64 { 60_000_000_000 }
}
