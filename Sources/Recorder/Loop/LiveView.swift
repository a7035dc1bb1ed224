import Rings
import Text
import Viewing

/// The loop's side of the live views: what they show around the picture, and what the console is to say of the display.
struct LiveView: ~Copyable {
  let status: ViewStatusCell
  /// Whether there is a display.
  let isWanted: Bool
  private var news: QueueConsumer<FixedText<256>>

  init(status: ViewStatusCell, isWanted: Bool, news: consuming QueueConsumer<FixedText<256>>) {
    self.status = status
    self.isWanted = isWanted
    self.news = news
  }

  mutating func nextLine() -> FixedText<256>? { news.pop() }
}
