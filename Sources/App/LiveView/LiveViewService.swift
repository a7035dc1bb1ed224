import Base
import Console
import Record
import Wire

/// The loop's side of the live views: the status that they show, and what the console prints about the display's
/// process and the network listeners.
struct LiveViewService: ~Copyable {
  let cell: ViewStatusCell
  /// Whether there is a display.
  let isWanted: Bool
  private(set) var news: QueueConsumer<FixedText<256>>
  private(set) var lists: QueueConsumer<ListenerList>
  private(set) var shares: QueueConsumer<Bool>
  let hasMonitor: Bool
  private(set) var listeners = ListenerList()

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

  /// A listener's order: true to let all hear what is played, false to return to the microphone; nil if there is none.
  mutating func nextShareOrder() -> Bool? { shares.pop() }

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
}
