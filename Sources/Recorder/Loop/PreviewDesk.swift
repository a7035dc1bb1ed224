import Rings
import Preview

/// The loop's side of drawing previews: what was asked of the worker, and how far its drawing has been sent.
struct PreviewDesk: ~Copyable {
  private var requests: QueueProducer<PreviewRequest>
  private var answers: QueueConsumer<PreviewAnswer>
  /// What the worker has drawn.
  let page: DrawingPage
  /// Whether the camera delivers pictures that can be drawn.
  let hasPictures: Bool
  var phase = PreviewPhase.none
  /// Whether a live preview has the upper part of the screen for itself.
  var isScreenDivided = false
  /// What the terminal can draw with; nil until it was asked.
  var style: PreviewRequest.Style?

  init(
    requests: consuming QueueProducer<PreviewRequest>, answers: consuming QueueConsumer<PreviewAnswer>,
    page: DrawingPage, hasPictures: Bool
  ) {
    self.requests = requests
    self.answers = answers
    self.page = page
    self.hasPictures = hasPictures
  }

  /// Whether the worker has something to do.
  var isAwaiting: Bool {
    if case .drawing = phase { true } else { false }
  }

  /// Whether bytes of a drawing are on their way to the console.
  var isSending: Bool {
    if case .sending = phase { true } else { false }
  }

  mutating func ask(_ request: PreviewRequest) {
    let isAsked = requests.push(request)
    precondition(isAsked, "each request is answered before the next one is made")
  }

  mutating func nextAnswer() -> PreviewAnswer? { answers.pop() }
}
