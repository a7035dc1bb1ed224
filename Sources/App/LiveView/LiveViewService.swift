import Base
import Console
import Record
import Wire

/// The loop's side of the live views: the status that they show, and what the console prints of the display's process
/// and of those who listen over a network.
struct LiveViewService: ~Copyable {
  let cell: ViewStatusCell
  /// Whether there is a display.
  let isWanted: Bool
  private(set) var news: QueueConsumer<FixedText<256>>
  private(set) var lists: QueueConsumer<ListenerList>
  let hasMonitor: Bool
  private(set) var listeners = ListenerList()

  /// At each exchange: publishes the status for the live views, and prints the lines of the display's process. Pictures
  /// are encoded for the views as often as one may be open and is not off because of the heat.
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

  /// `listeners`
  func tellListeners(_ form: StatusForm, _ console: inout ConsoleSession) {
    guard hasMonitor else { return console.refuse("listening is off: set [monitor] socket") }
    guard form == .lines else { return tellJSON(&console) }
    guard !listeners.isEmpty else { return console.answer("no listeners") }
    listeners.forEachListener { listener in
      let line: FixedText<256> = """
        \(listener.address) \(listener.path) for \(duration: listener.seconds), \(size: listener.sentByteCount) sent, \
        \(grouped: listener.bytesBehind) bytes behind
        """
      guard let count = listener.leftOutPictureCount else { return console.reply(line) }
      console.reply("\(line), \(grouped: count) frames skipped" as FixedText<256>)
    }
    console.complete()
  }

  private func tellJSON(_ console: inout ConsoleSession) {
    var writer = ListingWriter(.json)
    writer.beginRows("listeners", "", &console)
    listeners.forEachListener { listener in
      writer.beginRow()
      writer.cell("address", text: listener.address.bytes)
      writer.cell("path", text: listener.path.bytes)
      writer.cell("seconds", .count(listener.seconds), console)
      writer.cell("sent_bytes", .size(listener.sentByteCount), console)
      writer.cell("behind_bytes", .size(listener.bytesBehind), console)
      writer.cell("left_out_pictures", listener.leftOutPictureCount.map { .count($0) } ?? .none, console)
      writer.endRow(&console)
    }
    writer.endRows()
    writer.end(&console)
  }
}
