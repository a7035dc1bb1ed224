import Port
import Console
import Values
import Text
import Preview

extension MainLoop where Machine: ~Copyable {
  /// Before the first tick: a person at a terminal is to see first what the camera sees.
  public mutating func showPreview() {
    if console.isTerminal, preview.hasPictures { console.type("preview live\n") }
  }

  /// Serves `preview`: it is answered once the picture is drawn, a live one once a key is pressed.
  mutating func beginPreview(_ order: PreviewOrder, atNanoseconds now: UInt64) {
    if let refusal = previewRefusal { return console.refuse(refusal) }
    guard order == .once || console.isTerminal else {
      return console.refuse("preview live wants a terminal and a person at it: preview draws one picture anywhere")
    }
    guard console.isTerminal, preview.style == nil else { return requestDrawing(order) }
    console.askTerminal()
    preview.phase = .asking(order, untilNanoseconds: now + Limits.terminalAnswerMilliseconds * 1_000_000)
  }

  private var previewRefusal: FixedText<128>? {
    preview.hasPictures ? cameraRefusal : noCamera(to: "look through")
  }

  /// What happens is told, and scrolls, below the picture (DECSTBM).
  private mutating func divideScreen() {
    preview.isScreenDivided = true
    let rows = Int(machine.consoleLine.terminalSize.rows)
    let top = max(rows - Limits.rowsBelowLivePreview + 1, 1)
    let text: FixedText<128> = "\u{1B}[2J\u{1B}[\(top);\(rows)r\u{1B}[\(top);1Hany key ends the live preview\n"
    _ = console.draw(text.bytes)
    console.endDrawing()
  }

  /// At each tick: goes on with what is being drawn.
  mutating func stepPreview(atNanoseconds now: UInt64) {
    switch preview.phase {
    case .none: return
    case .asking(let order, let end):
      let hasSixels = console.takeTerminalAnswer()
      guard hasSixels != nil || now >= end else { return }
      preview.style = hasSixels == true ? .sixels : .halfBlocks
      requestDrawing(order)
    case .drawing(let order):
      if console.hasToldNews, let answer = preview.nextAnswer() { serve(answer, order) }
    case .sending(let order, let sent, let byteCount):
      send(order, from: sent, byteCount, atNanoseconds: now)
    case .resting(let end):
      if console.takeKey() { return endPreview() }
      if now >= end { requestDrawing(.live) }
    }
  }

  private mutating func requestDrawing(_ order: PreviewOrder) {
    let style = preview.style ?? .halfBlocks
    let terminal = machine.consoleLine.terminalSize
    // A person has to see the prompt below a picture, and what happens below a live one.
    let rows = max(Int(terminal.rows) - (order == .live ? Limits.rowsBelowLivePreview : 2), 1)
    var room = PixelSize(width: Int(terminal.columns), height: rows)
    if style == .sixels {
      room.width *= max(Int(terminal.widthPixels) / Int(terminal.columns), Limits.leastCellWidthPixels)
      room.height *= max(Int(terminal.heightPixels) / Int(terminal.rows), Limits.leastCellHeightPixels)
    }
    preview.ask(PreviewRequest(style: style, space: room, orientation: panel.orientation))
    preview.phase = .drawing(order)
  }

  private mutating func serve(_ answer: PreviewAnswer, _ order: PreviewOrder) {
    switch answer {
    case .drawn(let byteCount):
      if order == .live {
        if !preview.isScreenDivided { divideScreen() }
        console.draw("\u{1B}7\u{1B}[H")
      }
      preview.phase = .sending(order, sentByteCount: 0, byteCount: byteCount)
    case .noPicture: refusePreview("\(cameraRefusal ?? "the camera has not delivered a picture yet")")
    case .unreadable: refusePreview("the newest picture cannot be drawn: look at the next take with a player")
    }
  }

  private mutating func refusePreview(_ reason: FixedText<256>) {
    undivideScreen()
    preview.phase = .none
    console.endDrawing()
    console.refuse(reason)
  }

  private mutating func send(_ order: PreviewOrder, from sent: Int, _ byteCount: Int, atNanoseconds now: UInt64) {
    let page = preview.page
    let end = sent + console.draw(page.bytes(sent..<byteCount))
    guard end == byteCount else {
      return preview.phase = .sending(order, sentByteCount: end, byteCount: byteCount)
    }
    guard order == .live else { return endPreview() }
    console.draw("\u{1B}8")
    console.endDrawing()
    if console.takeKey() { return endPreview() }
    preview.phase = .resting(untilNanoseconds: now + Limits.livePreviewMilliseconds * 1_000_000)
  }

  private mutating func endPreview() {
    undivideScreen()
    preview.phase = .none
    console.endDrawing()
    console.complete()
  }

  /// At the end of all: the terminal gets back what a picture that was not finished had of it, colours and lines.
  mutating func leavePreview() {
    guard preview.phase != .none else { return }
    console.draw("\u{1B}\\\u{1B}[0m")
    undivideScreen()
    preview.phase = .none
    console.endDrawing()
  }

  private mutating func undivideScreen() {
    guard preview.isScreenDivided else { return }
    preview.isScreenDivided = false
    console.draw("\u{1B}[r\u{1B}[999;1H")
  }
}
