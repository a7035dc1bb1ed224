import Port
import Rings
import Text

/// The line protocol with whoever is at the console: takes commands one at a time, and keeps replies and what comes
/// unasked in whole lines. Never waits; what it holds is of fixed size.
public struct ConsoleSession: ~Copyable {
  /// Whether a person types here.
  public let isTerminal: Bool
  /// A picture is being drawn: a line amid its bytes would spoil it.
  private var isDrawing = false
  private var input = InputBuffer()
  private var output: OutputBuffer
  /// What came unasked, and waits until it can be said: whole lines, each with its end.
  private var news: OutputBuffer
  /// Lines that were left out for want of space, and not yet told of.
  private var lostLineCount = 0
  private var reader = LineReader()
  private var terminal = Terminal()
  /// The command that has been handed out and not been answered; nil while there is none.
  public var pending: PendingCommand?
  private var isInterrupted = false

  private static let outputByteCount = 16_384
  /// At 115,200 baud the largest drawing, of 508 kB, takes 44 s: that leaves space for five lines of 70 bytes a second.
  private static let newsByteCount = 16_384

  /// No command is taken before this much is free for its reply, and what comes unasked leaves it free.
  private static let replyReserveByteCount = 8192
  /// What a long reply leaves free for its last line.
  private static let lastLineReserveByteCount = 1024

  /// - Parameter isTerminal: whether a person types there.
  /// - Returns: nil when `memory` is used up.
  public init?(isTerminal: Bool, in memory: inout BootMemory) {
    guard let output = OutputBuffer(byteCount: Self.outputByteCount, in: &memory),
      let news = OutputBuffer(byteCount: Self.newsByteCount, in: &memory)
    else { return nil }
    self.isTerminal = isTerminal
    self.output = output
    self.news = news
  }

  /// Whether everything that was said has been taken by the line.
  public var isDrained: Bool { output.isEmpty && news.isEmpty }

  /// Whether all that came unasked was said: a picture, which can be drawn again, waits for that.
  public var hasToldNews: Bool { news.isEmpty }

  /// Once a tick: moves what has come in and what has to go out, as far as `line` goes along.
  public mutating func exchange(with line: inout some ConsoleLine & ~Copyable) {
    input.refill(from: &line)
    if isTerminal, pending != nil, input.contains(Self.interruptByte) {
      isInterrupted = true
      input.removeAll()
    }
    output.drain(to: &line)
    tellNews()
  }

  /// Ctrl-C, as a terminal in raw mode sends it.
  private static let interruptByte: UInt8 = 0x03

  /// Whether ctrl-C was typed since a command was handed out; asking takes it back.
  public mutating func takeInterrupt() -> Bool {
    defer { isInterrupted = false }
    return isInterrupted
  }

  /// Types a line in place of the person, before all that comes in.
  public mutating func type(_ line: StaticString) { input.append(line) }

  /// Asks the terminal what it can draw; ``takeTerminalAnswer()`` has the answer soon, or never.
  public mutating func askTerminal() { output.append("\u{1B}[c") }

  /// Whether the terminal has sixel graphics; nil while it has not said.
  public mutating func takeTerminalAnswer() -> Bool? { input.takeDeviceAttributes() }

  /// Whether a key was pressed since a command was handed out; asking takes it back.
  public mutating func takeKey() -> Bool {
    _ = input.takeDeviceAttributes()
    defer { input.removeAll() }
    return !input.isEmpty || input.hasEnded || takeInterrupt()
  }

  /// Sends a part of a picture, just as it is. Until ``endDrawing()`` nothing else is said.
  /// - Returns: how many of the bytes were taken; the others are to be sent at a later tick.
  public mutating func draw(_ bytes: Span<UInt8>) -> Int {
    isDrawing = true
    return output.appendPart(of: bytes, keepingFree: Self.lastLineReserveByteCount)
  }

  /// Sends a few bytes around a picture or between two, for which there is always space.
  public mutating func draw(_ text: StaticString) {
    isDrawing = true
    output.append(text)
  }

  /// The picture is complete: what happened meanwhile is said.
  public mutating func endDrawing() {
    isDrawing = false
    tellNews()
  }

  /// What is wanted next; nil when nothing has come in, or the command before has not been answered.
  ///
  /// Lines that are no command, and `help`, are answered here.
  public mutating func nextRequest() -> ConsoleRequest? {
    while pending == nil, output.freeByteCount >= Self.replyReserveByteCount {
      if isTerminal { terminal.prompt(on: &output) }
      guard let event = nextEvent() else { return nil }
      if let request = request(for: event) { return request }
    }
    return nil
  }

  private mutating func nextEvent() -> LineEvent? {
    while output.freeByteCount >= Self.replyReserveByteCount, let byte = input.next() {
      let event = isTerminal ? terminal.next(byte, output: &output) : reader.next(byte)
      if let event { return event }
    }
    guard input.isEmpty, input.hasEnded else { return nil }
    return reader.finish() ?? .endOfInput
  }

  private mutating func request(for event: LineEvent) -> ConsoleRequest? {
    do throws(CommandError) {
      switch event {
      case .endOfInput: return .endOfInput
      case .tooLong: throw .lineTooLong
      case .line(let line): return try request(forLine: line)
      }
    } catch {
      say(error.line.bytes, keepingFree: 0)
    }
    return nil
  }

  private mutating func request(forLine line: TypedLine) throws(CommandError) -> ConsoleRequest? {
    guard let command = try CommandParser.parse(line) else { return nil }
    isInterrupted = false
    pending = .running
    guard case .help(let topic) = command else { return .command(command) }
    var index = 0
    while let line = HelpLines.line(at: index, topic: topic) {
      reply(line)
      index += 1
    }
    complete()
    return nil
  }

  /// Whether a line of a reply, as long as it may be, is sure to be taken now. A reply that asks before each of its
  /// lines, and goes on at a later tick when there is no space, arrives whole however slow the line is; what comes
  /// unasked meanwhile has space as well.
  public var canReply: Bool {
    output.freeByteCount >= Self.replyReserveByteCount + OutputPiece.longestLineByteCount + 2
  }

  /// Says one line of the reply to the command that was handed out.
  public mutating func reply(_ line: FixedText<256>) {
    say(line.bytes, isAmidReply: true, keepingFree: Self.lastLineReserveByteCount)
  }

  /// Says one line of the reply to the command that was handed out, at most 3000 bytes: what is longer is cut.
  public mutating func reply<let capacity: Int>(_ line: FixedText<capacity>) {
    say(line.bytes, isAmidReply: true, keepingFree: Self.lastLineReserveByteCount)
  }

  /// Ends the reply with `ok`: the next command may come.
  public mutating func complete() {
    say(("ok" as StaticString).utf8Bytes, keepingFree: 0)
    pending = nil
  }

  /// Replies with one line.
  public mutating func answer(_ line: FixedText<256>) {
    reply(line)
    complete()
  }

  /// Ends the reply with `error: REASON`: the next command may come.
  public mutating func refuse(_ reason: FixedText<256>) { end(refusing: reason.bytes) }

  /// Ends the reply with `error: REASON`, at most 500 bytes: the next command may come.
  public mutating func refuse<let capacity: Int>(_ reason: FixedText<capacity>) { end(refusing: reason.bytes) }

  private mutating func end(refusing reason: Span<UInt8>) {
    var line: FixedText<512> = "error: "
    line.append(bytes: reason)
    say(line.bytes, keepingFree: 0)
    pending = nil
  }

  /// Tells where `origin` looks that what it wanted is not done.
  public mutating func refuse<let capacity: Int>(_ reason: FixedText<capacity>, for origin: Origin) {
    switch origin {
    case .button: announce(reason)
    case .console: refuse(reason)
    }
  }

  /// Says unasked what went wrong with a device.
  public mutating func announce(_ failure: DeviceFailure) { announce(failure.line) }

  /// Says something unasked, as `* LINE`, at once or when there is space. Left out, counted and told later if the line is
  /// too slow for that.
  public mutating func announce(_ line: FixedText<256>) { tell(line.bytes) }

  /// Says something unasked, at most 500 bytes, likewise.
  public mutating func announce<let capacity: Int>(_ line: FixedText<capacity>) { tell(line.bytes) }

  private mutating func tell(_ text: Span<UInt8>) {
    var line: FixedText<512> = "* "
    line.append(bytes: text)
    var piece = OutputPiece()
    piece.append(line: line.bytes)
    if !news.append(piece.bytes, keepingFree: 0) { lostLineCount += 1 }
    tellNews()
  }

  private mutating func tellNews() {
    guard !isDrawing else { return }
    while let line = news.firstLine {
      guard write(line.bytes, keepingFree: Self.replyReserveByteCount) else { return }
      news.removeFirst(line.byteCount + 1)
    }
    tellLostLines()
  }

  private mutating func tellLostLines() {
    guard lostLineCount > 0, output.freeByteCount >= Self.outputByteCount * 3 / 4 else { return }
    let noun: StaticString = lostLineCount == 1 ? "line" : "lines"
    let line: FixedText<64> = "* \(lostLineCount) \(noun) lost: the console is too slow"
    lostLineCount = 0
    say(line.bytes, keepingFree: Self.replyReserveByteCount)
  }

  private mutating func say(_ line: Span<UInt8>, isAmidReply: Bool = false, keepingFree reserve: Int) {
    if !write(line, isAmidReply: isAmidReply, keepingFree: reserve) { lostLineCount += 1 }
  }

  /// - Returns: whether there was space.
  private mutating func write(_ line: Span<UInt8>, isAmidReply: Bool = false, keepingFree reserve: Int) -> Bool {
    var piece = OutputPiece()
    // A file may be called as it likes: no line of a reply looks like the last one, or like one that comes unasked.
    if isAmidReply, line.isProtocol { piece.append(" ") }
    piece.append(line: line)
    guard isTerminal else { return output.append(piece.bytes, keepingFree: reserve) }
    return terminal.write(piece, on: &output, keepingFree: reserve)
  }
}

extension Span where Element == UInt8 {
  /// Whether a script would take a line that says this for the end of a reply, or for one that came unasked.
  fileprivate var isProtocol: Bool {
    equals("ok") || removingPrefix("error:") != nil || removingPrefix("* ") != nil
  }
}

/// What the other side of the console wants next.
public enum ConsoleRequest: Equatable, Sendable {
  /// To be answered with ``ConsoleSession/complete()`` or ``ConsoleSession/refuse(_:)``, after any lines of reply.
  case command(Command)
  /// Nothing more will come: to be treated like `quit`.
  case endOfInput
}
