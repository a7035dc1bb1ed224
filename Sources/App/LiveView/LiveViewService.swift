import Base
import Console
import Record
import Wire

/// The loop's side of the live views: the status that they show, and what the console prints about the display's
/// process and the network listeners.
struct LiveViewService: ~Copyable {
  let cell: ViewStatusCell
  /// What people have entered, for the page.
  let sheet: ViewSheetCell
  /// Whether there is a display.
  let isWanted: Bool
  private(set) var news: QueueConsumer<FixedText<256>>
  private(set) var lists: QueueConsumer<ListenerList>
  private(set) var orders: QueueConsumer<FixedText<256>>
  let hasMonitor: Bool
  private(set) var listeners = ListenerList()
  /// How many orders of listeners have been taken; wraps around.
  private(set) var orderCount: UInt32 = 0
  private(set) var nextOrderInstant: Instant = 0

  /// Whether somebody watches or listens to the recorder now: at its display, or over a network.
  var isFollowed: Bool { isWanted || !listeners.isEmpty }

  /// At each exchange: publishes the status for the live views, and prints the lines of the display's process. Pictures
  /// are encoded at the views' rate while a view may be open and heat has not turned views off.
  mutating func step(
    _ status: ViewStatus, _ heat: HeatLevel, _ views: inout ViewCapture?, _ console: inout ConsoleSession
  ) {
    var isWatched = isWanted
    if case .preview = console.pending { isWatched = true }
    let period = isWatched && heat == .cool ? Limits.viewPictureMilliseconds : Limits.unwatchedPictureMilliseconds
    views?.periodNanoseconds = period * 1_000_000
    cell.publish(status)
    if let line = news.pop() { console.announce(line) }
    if let list = lists.pop() { listeners = list }
  }

  /// A listener's order; nil if there is none, or the last one was a moment ago.
  mutating func nextOrder(at now: Instant) -> FixedText<256>? {
    guard now >= nextOrderInstant, let line = orders.pop() else { return nil }
    nextOrderInstant = now + Limits.orderMilliseconds * 1_000_000
    orderCount &+= 1
    return line
  }

  func tellListeners(_ form: StatusForm, _ console: inout ConsoleSession) {
    guard hasMonitor else { return console.refuse("listening is off: set [monitor] socket") }
    if form == .lines, let page = listeners.page { console.reply("the page is at \(page)" as FixedText<256>) }
    if form == .lines, listeners.isWithoutListeners { return console.answer("no listeners") }
    console.beginReport(form)
    console.beginRows("listeners")
    listeners.forEachListener { listener in
      let line: FixedText<256> = """
        \(listener.address) \(listener.path) for \(duration: listener.seconds), \(size: listener.sentByteCount) sent, \
        \(count: listener.bytesBehind, "byte") behind
        """
      let count = listener.leftOutPictureCount
      console.line(count.map { "\(line), \(count: $0, "frame") skipped" } ?? line)
      console.beginRow()
      console.member("address", text: listener.address.bytes)
      console.member("path", text: listener.path.bytes)
      console.member("seconds", .count(listener.seconds))
      console.member("sent_bytes", .size(listener.sentByteCount))
      console.member("behind_bytes", .size(listener.bytesBehind))
      console.member("left_out_pictures", .count(count))
      console.endRow()
    }
    console.endRows()
    console.endReport()
  }
}

extension Limits {
  /// The interval between pictures for the views while one is open. A Raspberry Pi 4 takes about 30 ms for one of
  /// 1080p, so one of its four cores is busy a third of the time.
  package static var viewPictureMilliseconds: UInt64 { 100 }

  /// The interval while no view is open: the picture that `preview` draws is at most this old.
  package static var unwatchedPictureMilliseconds: UInt64 { 1000 }

  /// The shortest time between two orders of listeners: faster than people type, and too slow to fill a take's ledger
  /// or to wear the card unseen.
  static var orderMilliseconds: UInt64 { 200 }
}
