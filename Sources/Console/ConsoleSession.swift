import Base
import Machine

/// The console's line protocol: takes commands one at a time, and keeps replies and events in whole lines. It never
/// waits, and its memory has a fixed size.
package struct ConsoleSession: ~Copyable {
  private let place = StaysInPlace()
  /// Whether the console is a terminal with a person at it.
  package let isTerminal: Bool
  /// The language of text for people.
  package var language = Language.english
  /// What the terminal can draw.
  package var looks = TerminalLooks() {
    didSet { terminal.isDumb = looks.isDumb }
  }
  /// Bytes per update of text that is redrawn in place.
  package var frameByteCount = 256
  var cells: CellScreen
  /// The report that is being described.
  var report = OpenReport()
  /// The reply being drawn in place; nil if there is none.
  var captured: CapturedReply?
  /// Bytes of the picture that is being drawn, so far; nil if there is none. Those that have not gone out are the last
  /// of the output, and a line between them would corrupt it.
  var drawnByteCount: Int?
  /// Exchanges in a row that received nothing.
  private var silentExchangeCount = Self.exchangesUntilSilence
  private var input = InputBuffer()
  var output: OutputBuffer
  /// Events that wait to be printed: whole lines, each with its line end.
  private var news: OutputBuffer
  /// The newest events, printed or not.
  private(set) var events: EventLog
  /// The filter of events that are printed as they happen.
  package var eventFilter = EventFilter.all
  /// The instant of the first tick; nil before it.
  package private(set) var start: Instant?
  /// The time by which events are dated; set at each tick.
  package var now: Instant = 0 {
    didSet { start = start ?? now }
  }
  /// Events that were dropped for lack of space, and not reported yet.
  private var lostLineCount = 0 {
    didSet { totalLostLineCount += max(lostLineCount - oldValue, 0) }
  }
  /// Events dropped since boot, reported or not.
  package private(set) var totalLostLineCount = 0
  /// The newest reported failure of each device.
  private var failures = PerDevice<DeviceFailure?>(repeating: nil)
  private var lineWatch = LineWatch()
  private var reader = LineReader()
  private var terminal = Terminal()
  private var lastTicket: UInt32 = 0
  /// Whether the input is a script, which ends at its first error.
  package var endsAtError = false
  /// The number of lines read.
  private var lineCount = 0
  /// The line whose error ended the script, counted from 1; nil while it goes on.
  package private(set) var refusedLine: Int?
  /// The line of the newest command.
  private(set) var line = TypedLine()
  /// What a command has asked its user.
  var confirmation = Confirmation.none
  /// The letter that ended a view, and until when further typing makes it the first letter of a command.
  private var endingKey: (byte: UInt8, end: Instant)?

  /// A number that matches a worker's replies to the pending command, never 0.
  package mutating func takeTicket() -> UInt32 {
    lastTicket = lastTicket == .max ? 1 : lastTicket + 1
    return lastTicket
  }

  /// The pending command; nil if there is none.
  package var pending: PendingCommand?
  private var isInterrupted = false
  /// How a line is interpreted that does not begin with a command's name.
  package var mode = ConsoleMode.commands {
    didSet { terminal.prompt = mode.prompt }
  }

  private static let outputByteCount = 16_384
  /// At 115,200 baud the largest drawing, of 508 kB, takes 44 s: that leaves space for five lines of 70 bytes a second.
  private static let eventByteCount = 16_384

  /// A command is taken only if this much is free for its reply, and events leave it free.
  private static let replyReserveByteCount = 8192
  /// The bytes of one key arrive within this many exchanges, each of which takes at least a tick.
  private static let exchangesPerKey = 4
  /// People type the next letter of a word sooner than this, and a new command after a key later.
  private static let typingNanoseconds: UInt64 = 1_000_000_000
  /// After this many exchanges without a byte nobody is typing: a fifth of a second, a slow typist's pause.
  private static let exchangesUntilSilence = 20
  /// The space that a long reply leaves free for its last line.
  static let lastLineReserveByteCount = 1024

  /// - Parameter isTerminal: whether a person types there.
  /// - Returns: nil if `memory` has fewer than ``byteCount`` bytes left.
  @export(interface)
  package init?(isTerminal: Bool, in memory: inout BootMemory) {
    guard let output = OutputBuffer(byteCount: Self.outputByteCount, in: &memory),
      let news = OutputBuffer(byteCount: Self.eventByteCount, in: &memory), let events = EventLog(in: &memory),
      let cells = CellScreen(in: &memory)
    else { return nil }
    self.isTerminal = isTerminal
    self.output = output
    self.news = news
    self.events = events
    self.cells = cells
    precondition(Device(rawValue: UInt8(failures.count)) == nil, "a device has no place in PerDevice")
  }

  /// Whether the line has taken all output.
  package var isDrained: Bool { output.isEmpty && news.isEmpty }

  /// The level of the output buffer, in bytes.
  package var outputLevel: RingLevel { output.level }

  /// The level of the buffer of waiting events, in bytes.
  package var eventLevel: RingLevel { news.level }

  /// Whether all events have been printed: a picture, which can be drawn again, waits for that.
  package var hasReportedEvents: Bool { news.isEmpty }

  /// Whether bytes have come lately, so that more may follow: polling them avoids a wake of the loop for each.
  package var isHearing: Bool { silentExchangeCount < (isTerminal ? Self.exchangesUntilSilence : 1) }

  /// Whether input can be used now. Keys typed at a terminal can end what a command waits for.
  package var wantsInput: Bool { !input.isFull && !input.hasEnded && (isTerminal || pending == nil) }

  /// Called once per tick: reads input and writes output, as far as `line` accepts it.
  package mutating func exchange(with line: inout some ConsoleLineDriver & ~Copyable) {
    if input.refill(from: &line) {
      silentExchangeCount = 0
      // Before a key is shown: the window may have changed.
      if isTerminal { terminal.columnCount = Int(line.terminalSize.columns) }
    } else {
      silentExchangeCount &+= 1
    }
    if isTerminal, pending != nil, input.contains(Self.interruptByte) {
      isInterrupted = true
      input.removeAll()
    }
    let freeByteCount = output.freeByteCount
    output.drain(to: &line, atMost: isDrawing ? drawingSpace(on: line) : .max)
    lineWatch.follow(isStuck: !isDrawing && !output.isEmpty && output.freeByteCount == freeByteCount, at: now)
    reportEvents()
  }

  /// Called once per tick, after the commands: sends the echo of a key, and immediate answers.
  package mutating func answer(on line: inout some ConsoleLineDriver & ~Copyable) {
    guard !isDrawing else { return }
    output.drain(to: &line, atMost: .max)
  }

  /// Ctrl-C, as a terminal in raw mode sends it.
  private static let interruptByte: UInt8 = 0x03

  /// Whether ctrl-C was typed since a command was taken; reading it resets it.
  package mutating func takeInterrupt() -> Bool {
    defer { isInterrupted = false }
    return isInterrupted
  }

  /// Inserts a line before all other input, as if it had been typed.
  package mutating func type(_ line: StaticString) { input.append(line) }

  /// Asks the terminal what it can draw; ``takeTerminalAnswer()`` returns the answer soon, or never.
  package mutating func askTerminal() { output.append("\u{1B}[c") }

  /// Whether the terminal has sixel graphics; nil until it has answered.
  package mutating func takeTerminalAnswer() -> Bool? { input.takeDeviceAttributes() }

  /// Whether ``takeCompletionQuestion()`` returns something: its result is large, and this is checked at each tick.
  package var wantsCompletion: Bool { isTerminal && terminal.question != nil }

  /// A completion that others know: to be answered by ``complete(_:with:)``, soon or never.
  package mutating func takeCompletionQuestion() -> CompletionQuestion? { terminal.question.take() }

  package mutating func complete(_ question: CompletionQuestion, with words: WordCompletion) {
    terminal.complete(question, with: words, on: &output)
  }

  /// Restores the history of typed lines from the ``enteredLines()`` of an earlier run.
  package mutating func restoreLines(_ text: Span<UInt8>) { terminal.history.restore(text) }

  /// The newest lines that were entered, one after another, each with its line end.
  package func enteredLines<let capacity: Int>() -> FixedText<capacity> { terminal.history.newestLines() }

  /// How often ``enteredLines()`` has changed.
  package var enteredLineCount: Int { terminal.history.addedCount }

  /// Whether a key was pressed since a command was taken; removes that key and leaves those after it. A letter that
  /// others follow soon stays as the first letter of the next command: ending a view by typing on loses nothing.
  package mutating func takeKey() -> Bool {
    _ = input.takeDeviceAttributes()
    if takeInterrupt() { return true }
    while let byte = input.next() {
      let mayBeginCommand = !terminal.isInsideKey && byte.isSeen
      guard terminal.skip(byte) else { continue }
      if mayBeginCommand { endingKey = (byte, now + Self.typingNanoseconds) }
      return true
    }
    // The escape key sends the byte with which other keys begin.
    if silentExchangeCount >= Self.exchangesPerKey, terminal.skipRest() { return true }
    return input.hasEnded
  }

  /// A message in the console's language, to be drawn rather than printed.
  @export(interface)
  package func words(_ message: StaticString) -> FixedText<256> {
    guard let translated = Messages.line(message.utf8Bytes, in: language) else { return "\(message)" }
    return FixedText(translated.bytes)
  }

  /// The next request; nil if there is no input, or the previous command has not been answered.
  ///
  /// Invalid lines, and `help`, are answered here.
  package mutating func nextRequest() -> ConsoleRequest? {
    if let request = takeCaptured() { return request }
    if refusedLine != nil { return .endOfInput }
    while pending == nil, output.freeByteCount >= Self.replyReserveByteCount {
      if isTerminal { terminal.prompt(on: &output) }
      guard let event = nextEvent() else { return nil }
      if event != .endOfInput { lineCount += 1 }
      if let request = request(for: event) { return request }
    }
    return nil
  }

  @export(interface)
  private mutating func nextEvent() -> LineEvent? {
    while output.freeByteCount >= Self.replyReserveByteCount, let byte = input.next() {
      restoreEndingKey(before: byte)
      let event = isTerminal ? terminal.next(byte, output: &output) : reader.next(byte)
      // Ctrl-D leaves the calculator, but not the recorder.
      if event == .endOfInput, mode == .calculator { return .line("end") }
      if let event { return event }
    }
    guard input.isEmpty, input.hasEnded else { return nil }
    return reader.finish() ?? .endOfInput
  }

  /// Restores the key that ended a view; a `q`, which people press to leave, only before the `u` of `quit` and `queue`.
  private mutating func restoreEndingKey(before byte: UInt8) {
    guard let key = endingKey.take(), now < key.end, byte == UInt8(ascii: " ") || byte.isSeen,
      key.byte != UInt8(ascii: "q") || byte == UInt8(ascii: "u")
    else { return }
    _ = terminal.next(key.byte, output: &output)
  }

  @export(interface)
  private mutating func request(for event: LineEvent) -> ConsoleRequest? {
    do throws(CommandError) {
      switch event {
      case .endOfInput: return .endOfInput
      case .tooLong: throw .lineTooLong
      case .line(let line): return try request(forLine: line)
      }
    } catch {
      say(error.line.bytes, keepingFree: 0)
      noteRefusal()
    }
    return refusedLine == nil ? nil : .endOfInput
  }

  private mutating func noteRefusal() {
    if endsAtError { refusedLine = refusedLine ?? lineCount }
  }

  private mutating func request(forLine typed: TypedLine) throws(CommandError) -> ConsoleRequest? {
    var line = isTerminal ? CommandParser.withHelp(typed) : typed
    switch confirmation.answer(line.bytes, at: now) {
    case .none: break
    case .declined:
      complete()
      return nil
    case .confirmed(let asked): line = asked
    }
    guard let command = try CommandParser.parse(line, in: mode) else { return nil }
    self.line = line
    isInterrupted = false
    pending = .running
    guard case .help(let topic) = command else { return .command(command) }
    var index = 0
    while let line = HelpLines.line(at: index, topic: topic, in: language) {
      quote(line, inRowsIndentedBy: 0)
      index += 1
    }
    complete()
    return nil
  }

  /// Whether a line of a reply of any length is certain to be accepted now. A reply that checks this before each line,
  /// and continues at a later tick if there is no space, arrives whole however slow the line is, with space for events
  /// in between.
  package var canReply: Bool {
    captured != nil || output.freeByteCount >= Self.replyReserveByteCount + OutputPiece.longestLineByteCount + 2
  }

  /// Prints one line of the reply to the pending command. Here and below a literal becomes no `FixedText` at the call.
  @export(interface)
  package mutating func reply(_ line: StaticString) {
    say(line.utf8Bytes, isAmidReply: true, keepingFree: Self.lastLineReserveByteCount)
  }

  @_disfavoredOverload
  @export(interface)
  package mutating func reply(_ line: FixedText<256>) {
    say(line.bytes, isAmidReply: true, keepingFree: Self.lastLineReserveByteCount)
  }

  /// Prints one line of the reply to the pending command; it is cut after 3000 bytes.
  @_disfavoredOverload
  package mutating func reply<let capacity: Int>(_ line: FixedText<capacity>) {
    say(line.bytes, isAmidReply: true, keepingFree: Self.lastLineReserveByteCount)
  }

  /// Prints one line of the reply that contains no message, such as a file's name: it is not translated.
  package mutating func quote<let capacity: Int>(_ line: FixedText<capacity>) {
    if !put(line.bytes, isAmidReply: true, keepingFree: Self.lastLineReserveByteCount) { lostLineCount += 1 }
  }

  /// Ends the reply with `ok`: the next command may come.
  @export(interface)
  package mutating func complete() {
    if endCapture() { return }
    say(("ok" as StaticString).utf8Bytes, keepingFree: 0)
    pending = nil
  }

  /// Replies with a single line.
  package mutating func answer(_ line: FixedText<256>) {
    reply(line)
    complete()
  }

  /// Ends the reply with `error: REASON`: the next command may come.
  @export(interface)
  package mutating func refuse(_ reason: StaticString) { end(refusing: reason.utf8Bytes) }

  @_disfavoredOverload
  package mutating func refuse(_ reason: FixedText<256>) { end(refusing: reason.bytes) }

  /// Ends the reply with `error: REASON`, at most 500 bytes: the next command may come.
  @_disfavoredOverload
  package mutating func refuse<let capacity: Int>(_ reason: FixedText<capacity>) { end(refusing: reason.bytes) }

  @export(interface)
  private mutating func end(refusing reason: Span<UInt8>) {
    var line: FixedText<512> = "error: "
    line.append(bytes: reason)
    if capture(translated(line.bytes).bytes), endCapture() { return }
    say(line.bytes, keepingFree: 0)
    noteRefusal()
    pending = nil
  }

  /// Reports to `origin` that its command failed.
  @inline(never)
  package mutating func refuse<let capacity: Int>(_ reason: FixedText<capacity>, for origin: Origin) {
    switch origin {
    case .button: announce(reason, as: .fault)
    case .console: refuse(reason)
    }
  }

  /// Prints a device's failure as an event.
  @export(interface)
  package mutating func announce(_ failure: DeviceFailure) {
    note(failure)
    announce(failure.line, as: .fault)
  }

  /// Keeps a failure that is reported in another way.
  package mutating func note(_ failure: DeviceFailure) { failures[Int(failure.device.rawValue)] = failure }

  /// A device's newest failure, which may be over; nil before the first.
  package func newestFailure(of device: Device) -> DeviceFailure? { failures[Int(device.rawValue)] }

  /// Whether the line accepted nothing for a second, or events were lost, within this many nanoseconds.
  package func wasSlow(within nanoseconds: UInt64) -> Bool { lineWatch.wasSlow(within: nanoseconds, at: now) }

  /// Prints an event, as `* LINE`, at once or when there is space. If the line is too slow for that, the event is
  /// dropped, counted and reported later.
  @export(interface)
  package mutating func announce(_ line: StaticString, as level: EventLevel = .note) { tell(line.utf8Bytes, level) }

  @_disfavoredOverload
  @export(interface)
  package mutating func announce(_ line: FixedText<256>, as level: EventLevel = .note) { tell(line.bytes, level) }

  /// Prints an event of at most 500 bytes in the same way.
  @_disfavoredOverload
  package mutating func announce<let capacity: Int>(_ line: FixedText<capacity>, as level: EventLevel = .note) {
    tell(line.bytes, level)
  }

  @export(interface)
  private mutating func tell(_ text: Span<UInt8>, _ level: EventLevel) {
    events.append(text, level, at: start == nil ? 0 : now)
    // `events follow` prints each event with its time.
    if case .followedEvents = pending { return }
    guard eventFilter.passes(level) else { return }
    var line: FixedText<512> = "* "
    line.append(bytes: text)
    var piece = OutputPiece()
    piece.append(line: line.bytes)
    if !news.append(piece.bytes, keepingFree: 0) { lostLineCount += 1 }
    reportEvents()
  }

  @export(interface)
  mutating func reportEvents() {
    guard !isDrawing else { return }
    while let line = news.firstLine {
      guard write(line.bytes, keepingFree: Self.replyReserveByteCount) else { return }
      news.removeFirst(line.byteCount + 1)
    }
    tellLostLines()
  }

  private mutating func tellLostLines() {
    guard lostLineCount > 0, output.freeByteCount >= Self.outputByteCount * 3 / 4 else { return }
    lineWatch.noteLoss(at: now)
    let line: FixedText<64> = "* \(count: lostLineCount, "line") lost: the console is too slow"
    lostLineCount = 0
    say(line.bytes, keepingFree: Self.replyReserveByteCount)
  }

  private mutating func say(_ line: Span<UInt8>, isAmidReply: Bool = false, keepingFree reserve: Int) {
    if !write(line, isAmidReply: isAmidReply, keepingFree: reserve) { lostLineCount += 1 }
  }

  /// - Returns: whether there was space.
  private mutating func write(_ line: Span<UInt8>, isAmidReply: Bool = false, keepingFree reserve: Int) -> Bool {
    guard let translated = Messages.line(line, in: language, mayBeMarked: !isAmidReply) else {
      return put(line, isAmidReply: isAmidReply, keepingFree: reserve)
    }
    return put(translated.bytes, isAmidReply: isAmidReply, keepingFree: reserve)
  }

  /// - Returns: whether there was space.
  @export(interface)
  private mutating func put(_ line: Span<UInt8>, isAmidReply: Bool, keepingFree reserve: Int) -> Bool {
    if isAmidReply, capture(line) { return true }
    var piece = OutputPiece()
    // A file may have any name: no line of a reply must look like the last one, or like an event.
    if isAmidReply, line.isProtocol { piece.append(" ") }
    piece.append(line: line)
    guard isTerminal else { return output.append(piece.bytes, keepingFree: reserve) }
    return terminal.write(piece, on: &output, keepingFree: reserve)
  }
}

extension Span where Element == UInt8 {
  /// Whether a script would take this line for the end of a reply, or for an event.
  fileprivate var isProtocol: Bool {
    equals("ok") || removingPrefix("error:") != nil || removingPrefix("* ") != nil
  }
}

extension UInt8 {
  /// Whether the byte is a visible ASCII character.
  fileprivate var isSeen: Bool { self > UInt8(ascii: " ") && self < 0x7F }
}
