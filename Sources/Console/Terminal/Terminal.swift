import Base

/// A terminal with a prompt and a line editor.
struct Terminal {
  private var decoder = KeyDecoder()
  private(set) var editor = LineEditor()
  var history = History()
  private var row = PromptRow()
  /// Whether the cursor is in the prompt's row.
  private(set) var isPrompting = false

  /// How far ctrl-C has got towards ending the recorder.
  private enum Leaving {
    case none
    /// Ctrl-C was the last key.
    case interrupted
    /// The prompt asks whether to quit.
    case asked
  }

  private var leaving = Leaving.none

  /// The search through the history; nil if there is none.
  private var search: HistorySearch?

  /// What other parts of the recorder should complete; nil if nothing.
  var question: CompletionQuestion?

  /// Whether the terminal has no control functions.
  var isDumb: Bool {
    get { row.isDumb }
    set { row.isDumb = newValue }
  }

  /// The width of its rows; after a change the prompt's row is drawn whole.
  var columnCount: Int {
    get { row.columnCount }
    set {
      let old = row.columnCount
      row.columnCount = newValue
      if row.columnCount != old { row.forget() }
    }
  }

  /// The text before the line being typed.
  var prompt = ConsoleMode.commands.prompt {
    didSet { row.prompt = "\(prompt)" }
  }

  /// Draws the prompt if it is not shown.
  @export(interface)
  mutating func prompt(on output: inout OutputBuffer) {
    guard !isPrompting else { return }
    isPrompting = true
    row.begin()
    draw(on: &output)
  }

  /// - Returns: the line that `byte` completes.
  mutating func next(_ byte: UInt8, output: inout OutputBuffer) -> LineEvent? {
    guard let key = decoder.next(byte) else { return nil }
    if search(key) {
      draw(on: &output)
      return nil
    }
    let wasAsked = leaving == .asked
    follow(key)
    switch key {
    case .enter:
      return wasAsked ? answer(output: &output) : enter(output: &output)
    case .endOfInput:
      guard editor.isEmpty else { return nil }
      leaveRow(on: &output)
      return .endOfInput
    case .tab:
      complete(on: &output)
    case .redraw:
      output.append(isDumb ? "\n" : "\u{1B}[H\u{1B}[2J")
      row.forget()
    default:
      edit(key)
    }
    draw(on: &output)
    return nil
  }

  /// Whether a key has begun and is incomplete.
  var isInsideKey: Bool { decoder.isInsideKey }

  /// Takes a byte of a key that only matters for having been pressed.
  /// - Returns: whether the key is complete.
  mutating func skip(_ byte: UInt8) -> Bool { decoder.skip(byte) }

  /// Treats an incomplete key as complete.
  /// - Returns: whether one had begun.
  mutating func skipRest() -> Bool {
    defer { if decoder.isInsideKey { decoder = KeyDecoder() } }
    return decoder.isInsideKey
  }

  private mutating func enter(output: inout OutputBuffer) -> LineEvent {
    editor.moveToEnd()
    draw(on: &output)
    leaveRow(on: &output)
    let line = editor.text
    history.add(line)
    editor = LineEditor()
    return .line(line)
  }

  /// Asks after ctrl-C twice in a row: the person wants to leave, or typed it by mistake.
  private mutating func follow(_ key: Key) {
    switch (leaving, key) {
    case (.none, .clearLine): leaving = .interrupted
    case (.interrupted, .clearLine): ask(.asked, "quit? [y/N] ")
    case (.interrupted, _): leaving = .none
    case (.asked, .clearLine), (.asked, .cancel): ask(.none, prompt)
    default: break
    }
  }

  private mutating func ask(_ leaving: Leaving, _ prompt: StaticString) {
    self.leaving = leaving
    row.prompt = "\(prompt)"
    row.forget()
  }

  /// Takes the answer to the question whether to quit. Any other line is a command: a script may begin with ctrl-C.
  private mutating func answer(output: inout OutputBuffer) -> LineEvent {
    let isYes = editor.text.bytes.isYes
    let isAnswer = isYes || editor.text.bytes.isNo
    if isAnswer {
      leaveRow(on: &output)
      editor = LineEditor()
    }
    let event = isAnswer ? LineEvent.line(isYes ? "quit" : "") : enter(output: &output)
    ask(.none, prompt)
    return event
  }

  private mutating func leaveRow(on output: inout OutputBuffer) {
    output.append("\n")
    isPrompting = false
  }

  private mutating func edit(_ key: Key) {
    switch key {
    case .character(let scalar):
      var text = FixedText<4>()
      text.append(scalar: scalar)
      editor.insert(text)
    case .left: editor.moveLeft()
    case .right: editor.moveRight()
    case .home: editor.moveToStart()
    case .end: editor.moveToEnd()
    case .backspace: editor.deleteBackward()
    case .delete: editor.deleteForward()
    case .killToEnd: editor.deleteToEnd()
    case .killToStart: editor.deleteToStart()
    case .killWord: editor.deleteWordBackward()
    case .clearLine: editor = LineEditor()
    case .up: show(history.older(than: editor.text))
    case .down: show(history.newer())
    case .enter, .endOfInput, .tab, .redraw, .search, .cancel: break
    }
  }

  /// Uses a key for the search through the history, if one is in progress or begins.
  /// - Returns: whether the key was used; any other key ends the search, with the line that was found.
  private mutating func search(_ key: Key) -> Bool {
    guard var search = search ?? (key == .search ? HistorySearch(draft: editor) : nil) else { return false }
    let isNew = self.search == nil
    switch key {
    case .search: if !isNew { search.goOn(in: &history) }
    case .character(let scalar): search.append(scalar, in: &history)
    case .backspace: search.removeLast(in: &history)
    case .cancel, .clearLine:
      editor = search.draft
      history.returnToDraft()
      endSearch()
      return true
    default:
      endSearch()
      return false
    }
    if let line = search.line { show(line) } else { editor = search.draft }
    self.search = search
    row.prompt = search.prompt
    row.forget()
    return true
  }

  private mutating func endSearch() {
    search = nil
    row.prompt = "\(prompt)"
    row.forget()
  }

  private mutating func show(_ line: TypedLine?) {
    guard let line else { return }
    editor.replace(with: line)
    row.rewind()
  }

  /// Completes the last word as far as it is unambiguous; lists the candidates if nothing can be added. If others know
  /// some of them, they are asked first.
  private mutating func complete(on output: inout OutputBuffer) {
    guard let completion = Completion.ofLastWord(of: editor.before.bytes) else { return }
    question = completion.question
    if question == nil { complete(completion, on: &output) }
  }

  /// Completes with the answer to a question, if the line has not changed since.
  @export(interface)
  mutating func complete(_ asked: CompletionQuestion, with answer: WordCompletion, on output: inout OutputBuffer) {
    guard isPrompting, search == nil, var completion = Completion.ofLastWord(of: editor.before.bytes),
      completion.question == asked
    else { return }
    completion.take(answer)
    complete(completion, on: &output)
    draw(on: &output)
  }

  private mutating func complete(_ completion: Completion, on output: inout OutputBuffer) {
    let words = completion.words
    guard words.count > 0 else { return }
    if words.count > 1, words.commonPrefix.byteCount == completion.typed.byteCount {
      writeRows(of: words.list, on: &output)
      if words.isCut { writeRows(of: "…", on: &output) }
    } else {
      editor.insert(FixedText<256>(words.commonPrefix.bytes.extracting(droppingFirst: completion.typed.byteCount)))
      // The end of a folder's or section's name is followed by another name.
      guard words.count == 1, editor.after.isEmpty, !words.commonPrefix.bytes.hasSuffix("/"),
        !words.commonPrefix.bytes.hasSuffix(".")
      else { return }
      editor.insert(" " as FixedText<1>)
    }
  }

  /// Prints words above the prompt, as many per row as fit.
  private mutating func writeRows(of words: FixedText<768>, on output: inout OutputBuffer) {
    var rest = words.bytes
    while rest.count > 0 {
      let end = rest.endOfRow(columns: row.columnCount - 1)
      var line = OutputPiece()
      line.append(line: rest.extracting(first: end))
      write(line, on: &output, keepingFree: 0)
      rest = rest.extracting(droppingFirst: min(end + 1, rest.count))
    }
  }

  /// Prints a line above the prompt, and redraws the prompt and the typed text below it.
  /// - Returns: whether there was space.
  @discardableResult
  @export(interface)
  mutating func write(_ line: OutputPiece, on output: inout OutputBuffer, keepingFree reserve: Int) -> Bool {
    guard isPrompting else { return output.append(line.bytes, keepingFree: reserve) }
    var drawing = row.erased
    drawing.append(line)
    row.begin()
    drawing.append(row.redrawn(for: editor))
    return send(drawing, on: &output, keepingFree: reserve)
  }

  private mutating func draw(on output: inout OutputBuffer) {
    _ = send(row.changed(to: editor), on: &output, keepingFree: 0)
  }

  /// - Returns: whether there was space.
  private mutating func send(_ drawing: OutputPiece, on output: inout OutputBuffer, keepingFree reserve: Int) -> Bool {
    let isSent = output.append(drawing.bytes, keepingFree: reserve)
    if !isSent { row.forget() }
    return isSent
  }
}

extension Span where Element == UInt8 {
  /// Whether the text answers a question with yes.
  var isYes: Bool { equals("y") || equals("yes") }

  /// Whether the text answers a question with no.
  var isNo: Bool { equals("n") || equals("no") }
}
