import Console
import Encode
import Rings
import Text
import Viewing

/// The loop's side of the live views: what they show around the picture, and what the console is to say of the display.
struct LiveViewService: ~Copyable {
  let cell: ViewStatusCell
  /// Whether there is a display.
  let isWanted: Bool
  private(set) var news: QueueConsumer<FixedText<256>>

  /// At each exchange: leaves what the live views show, and says what the display's process has to say. Pictures are made
  /// for them as often as somebody may be looking.
  mutating func step(_ status: ViewStatus, _ views: inout ViewCapture?, _ console: inout ConsoleSession) {
    var isWatched = isWanted
    if case .preview = console.pending { isWatched = true }
    let period = isWatched ? Limits.viewPictureMilliseconds : Limits.unwatchedPictureMilliseconds
    views?.periodNanoseconds = period * 1_000_000
    cell.publish(status)
    if let line = news.pop() { console.announce(line) }
  }
}
