import Base
import Console
import Machine
import Record

/// Previews on the console: sends requests to the worker, and prints what it has drawn.
struct PreviewService: ~Copyable {
  private(set) var requests: QueueProducer<PreviewRequest>
  private(set) var answers: QueueConsumer<PreviewAnswer>
  let page: DrawingPage
  /// Whether the camera delivers pictures that can be drawn.
  let hasPictures: Bool
  let camera: PlannedCamera
  /// The screen, divided while a live preview has its upper part to itself.
  private(set) var screen = DividedScreen()
  /// The drawing style that the terminal has reported; nil until it was asked.
  private(set) var answeredStyle: PreviewRequest.Style?

  /// Until when to wait for the camera's first picture; nil while nobody waits.
  private(set) var patienceEnd: Instant?

  /// Before the first tick: starts a preview on a terminal.
  func begin(_ console: inout ConsoleSession) {
    if console.isTerminal, hasPictures, !console.looks.isDumb { console.type("preview live\n") }
  }

  /// Runs `preview`: answered once the picture is drawn, or, if it is live, once a key is pressed.
  /// - Parameter view: what to draw.
  mutating func run(_ order: PreviewOrder, _ view: PreviewView, _ console: inout ConsoleSession, at now: Instant) {
    if let refusal = hasPictures ? camera.refusal(in: view.camera) : camera.absence(to: "look through") {
      return console.refuse(refusal)
    }
    guard order == .once || console.isTerminal && !console.looks.isDumb else {
      return console.refuse("preview live needs an interactive terminal: preview draws one picture anywhere")
    }
    guard order == .once || !view.isTooHot else {
      return console.refuse("it is too hot for preview live: preview draws one picture")
    }
    begin(order, view, &console, at: now)
  }

  /// Draws the artwork that the library has found, and answers once that is done.
  mutating func drawArtwork(_ view: PreviewView, _ console: inout ConsoleSession, at now: Instant) {
    begin(.artwork, view, &console, at: now)
  }

  private mutating func begin(
    _ order: PreviewOrder, _ view: PreviewView, _ console: inout ConsoleSession, at now: Instant
  ) {
    guard style(on: console) == nil else { return requestDrawing(order, view, &console) }
    console.askTerminal()
    console.pending = .preview(.asking(order, until: now + Limits.terminalAnswerMilliseconds * 1_000_000))
  }

  /// Nil if the terminal has to be asked.
  private func style(on console: borrowing ConsoleSession) -> PreviewRequest.Style? {
    if console.looks.refusesColour { return .shades }
    guard console.isTerminal else { return .halfBlocks }
    return console.looks.isDumb ? .shades : answeredStyle
  }

  /// At each tick while the console waits for it: continues the drawing.
  mutating func step(_ phase: PreviewPhase, _ view: PreviewView, _ console: inout ConsoleSession, at now: Instant) {
    switch phase {
    case .asking(let order, let end):
      let hasSixels = console.takeTerminalAnswer()
      guard hasSixels != nil || now >= end else { return }
      answeredStyle = hasSixels == true ? .sixels : console.looks.isOneColoured ? .shades : .halfBlocks
      requestDrawing(order, view, &console)
    case .drawing(let order):
      if console.hasReportedEvents, let answer = answers.pop() { serve(answer, order, view, &console, at: now) }
    case .awaiting(let order, let due):
      if let refusal = camera.refusal(in: view.camera) { return refuse("\(refusal)", &console) }
      if order == .live ? console.takeKey() : console.takeInterrupt() { return end(&console) }
      if now >= due { requestDrawing(order, view, &console) }
    case .sending(let order, let sent, let byteCount):
      send(order, from: sent, byteCount, &console, at: now)
    case .resting(let due):
      if view.isTooHot || console.takeKey() { return end(&console) }
      if now >= due { requestDrawing(.live, view, &console) }
    }
  }

  /// At exit: restores the terminal's colours and lines if a picture was not finished.
  mutating func leave(_ console: inout ConsoleSession) {
    guard case .preview = console.pending else { return }
    console.breakOffDrawing()
    screen.undivide(&console)
  }

  private mutating func requestDrawing(_ order: PreviewOrder, _ view: PreviewView, _ console: inout ConsoleSession) {
    if view.isResting, order != .artwork { return awaitPicture(order, view, &console, at: console.now) }
    let style = style(on: console) ?? .halfBlocks
    let terminal = view.terminal
    // The prompt must stay visible below a picture, and events below a live one.
    let rows = max(Int(terminal.rows) - (order == .live ? Limits.rowsBelowLivePreview : 2), 1)
    var space = PixelSize(width: Int(terminal.columns), height: rows)
    if style == .sixels {
      space.width *= max(Int(terminal.widthPixels) / Int(terminal.columns), Limits.leastCellWidthPixels)
      space.height *= max(Int(terminal.heightPixels) / Int(terminal.rows), Limits.leastCellHeightPixels)
    }
    if order == .artwork {
      space.width = min(space.width, Artwork.longestSide)
      space.height = min(space.height, Artwork.longestSide)
    }
    let isAsked = requests.push(
      PreviewRequest(style: style, space: space, orientation: view.orientation, isArtwork: order == .artwork))
    precondition(isAsked, "each request is answered before the next one is made")
    console.pending = .preview(.drawing(order))
  }

  private mutating func serve(
    _ answer: PreviewAnswer, _ order: PreviewOrder, _ view: PreviewView, _ console: inout ConsoleSession,
    at now: Instant
  ) {
    switch answer {
    case .drawn(let byteCount):
      patienceEnd = nil
      if order == .live {
        if !screen.isDivided { divideScreen(rows: Int(view.terminal.rows), &console) }
        console.draw("\u{1B}7\u{1B}[H")
      }
      console.pending = .preview(.sending(order, sentByteCount: 0, byteCount: byteCount))
    case .noPicture where order == .artwork, .unreadable where order == .artwork:
      refuse("the picture was replaced meanwhile: try again", &console)
    case .noPicture: awaitPicture(order, view, &console, at: now)
    case .unreadable: refuse("the newest frame cannot be drawn: check the next take in a player", &console)
    }
  }

  /// Waits for a camera that is open but has not delivered yet, as after the start of a busy machine.
  private mutating func awaitPicture(
    _ order: PreviewOrder, _ view: PreviewView, _ console: inout ConsoleSession, at now: Instant
  ) {
    if let refusal = camera.refusal(in: view.camera) { return refuse("\(refusal)", &console) }
    if patienceEnd == nil { console.reply("waiting for the camera's first frame") }
    let longest = now + Limits.firstPictureMilliseconds * 1_000_000
    let end = view.isResting ? longest : patienceEnd ?? longest
    patienceEnd = end
    guard now < end else {
      let seconds = Limits.firstPictureMilliseconds / 1000
      return refuse("the camera has sent no frame for \(seconds) s: why shows what is wrong", &console)
    }
    console.pending = .preview(.awaiting(order, until: now + Limits.livePreviewMilliseconds * 1_000_000))
  }

  private mutating func send(
    _ order: PreviewOrder, from sent: Int, _ byteCount: Int, _ console: inout ConsoleSession,
    at now: Instant
  ) {
    // Keys typed ahead of a single picture are commands.
    if order == .live ? console.takeKey() : console.takeInterrupt() {
      console.breakOffDrawing()
      return self.end(&console)
    }
    let end = sent + console.draw(page.bytes(sent..<byteCount))
    if order != .live, end == byteCount { return self.end(&console) }
    // The next live picture begins once the line has taken this one.
    guard end == byteCount, console.hasSentDrawing else {
      return console.pending = .preview(.sending(order, sentByteCount: end, byteCount: byteCount))
    }
    console.draw("\u{1B}8")
    console.endDrawing()
    console.pending = .preview(.resting(until: now + Limits.livePreviewMilliseconds * 1_000_000))
  }

  private mutating func end(_ console: inout ConsoleSession) {
    patienceEnd = nil
    screen.undivide(&console)
    console.complete()
  }

  private mutating func refuse(_ reason: FixedText<256>, _ console: inout ConsoleSession) {
    patienceEnd = nil
    screen.undivide(&console)
    console.refuse(reason)
  }

  private mutating func divideScreen(rows: Int, _ console: inout ConsoleSession) {
    let top = max(rows - Limits.rowsBelowLivePreview + 1, 1)
    screen.divide(top: top, rows: rows, "any key ends the live preview", &console)
  }
}

/// What a preview shows, and on which terminal.
struct PreviewView {
  /// Running also while it rests.
  var camera: DeviceState
  /// Whether it is closed, or being opened, because no picture was wanted.
  var isResting = false
  var orientation: Orientation
  var terminal: TerminalSize
  /// Whether heat has turned live views off.
  var isTooHot = false
}

/// A terminal whose upper part belongs to a drawing, while events scroll below it (DECSTBM).
struct DividedScreen: Equatable {
  private(set) var isDivided = false
  /// The terminal on which cells are drawn in the upper part; nil if none are.
  private var sizeForCells: TerminalSize?

  /// Divides the screen for cells, and again once the terminal has another size.
  /// - Returns: false if the terminal is too small for them.
  mutating func divideForCells(on size: TerminalSize, _ console: inout ConsoleSession) -> Bool {
    guard console.canDrawCells(on: size) else { return false }
    guard size != sizeForCells else { return true }
    sizeForCells = size
    console.clearCells()
    divide(top: ConsoleSession.cellRowCount + 1, rows: Int(size.rows), "any key ends this", &console)
    return true
  }

  /// Clears the screen, and prints a hint as the first line of the lower part.
  /// - Parameter top: the first row of the lower part, from 1.
  mutating func divide(top: Int, rows: Int, _ hint: StaticString, _ console: inout ConsoleSession) {
    isDivided = true
    let text: FixedText<128> = "\u{1B}[2J\u{1B}[\(top);\(rows)r\u{1B}[\(top);1H\(console.words(hint))\n"
    _ = console.draw(text.bytes)
    console.endDrawing()
  }

  /// Ends the drawing, and joins a divided screen again.
  mutating func undivide(_ console: inout ConsoleSession) {
    if isDivided { console.draw("\u{1B}[r\u{1B}[999;1H") }
    isDivided = false
    sizeForCells = nil
    console.endDrawing()
  }
}

extension Limits {
  /// How long a terminal may take to identify itself: a few milliseconds, or a few hundred over a slow network.
  package static var terminalAnswerMilliseconds: UInt64 { 300 }

  /// How long to wait for the first picture: a camera takes a second or two to adjust, and a machine that has just
  /// started is busy.
  package static var firstPictureMilliseconds: UInt64 { 10_000 }

  /// The pause between pictures of a live preview, besides drawing and sending.
  package static var livePreviewMilliseconds: UInt64 { 60 }

  /// Rows for events while a live preview is shown.
  package static var rowsBelowLivePreview: Int { 6 }

  /// The smallest cell width assumed for a terminal with graphics that does not report its size in pixels.
  package static var leastCellWidthPixels: Int { 6 }

  /// The smallest cell height; see ``leastCellWidthPixels``.
  package static var leastCellHeightPixels: Int { 12 }
}
