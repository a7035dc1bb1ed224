import Base
import CLinux
import Wire

/// `fieldcorder-view` as a separate process: it inherits the memory that it reads, and one end of a socket, on which it
/// sends lines and notices when the recorder is gone.
///
/// The process ends no later than the thread that started it.
package struct ViewProcess: ViewDriver, ~Copyable {
  /// Lets the encoder run first if both want the processor: as for `nice`, 0…19.
  private static var niceness: Int32 { 15 }

  /// Nil without a display.
  private let arguments: ViewArguments?
  private let shared: ViewedMemory
  private var sidecar: Sidecar
  private var monitor: MonitorLink
  /// The fetching service's socket; nil if there is none.
  private let streamService: FixedText<64>?
  /// Whether the caller blocks for search results.
  private let isInStep: Bool
  private var searching: SearchLink?

  /// Maps the memory; no process is started yet.
  /// - Parameters:
  ///   - program: nil for `fieldcorder-view` from the folder of the running program.
  ///   - display: a node such as `/dev/dri/card0`; nil for memory without a display.
  ///   - scaling: how a picture with a different aspect ratio is shown.
  ///   - mounting: whether the display rotates with the device.
  ///   - font: a font file whose glyphs take precedence over the built-in ones; nil if there is none.
  ///   - monitorSocket: the socket of `fieldcorder-monitor`; nil if there is none.
  ///   - streamService: the path of the fetching service's socket; nil if there is none.
  ///   - isInStep: whether the caller blocks for search results, as ``Decoder/isInStep``.
  /// - Throws: if there is no memory for it.
  package init(
    program: FixedText<256>? = nil, display: FixedText<64>?, scaling: Framing, mounting: Mounting,
    font: FixedText<64>? = nil, monitorSocket: FixedText<64>? = nil, streamService: FixedText<64>? = nil,
    isInStep: Bool = false, setup: ViewSetup
  ) throws(DeviceFailure) {
    shared = try ViewedMemory(byteCount: setup.byteCount)
    sidecar = Sidecar("fieldcorder-view", .view, path: program)
    monitor = MonitorLink(path: monitorSocket)
    self.streamService = streamService
    self.isInStep = isInStep
    arguments = display.map {
      ViewArguments(
        display: $0, framing: scaling,
        largestPicture: PixelSize(width: Int(setup.widthPixels), height: Int(setup.heightPixels)), mounting: mounting,
        font: font)
    }
  }

  // Safe: the mapping is never removed and is divided only once.
  /// The memory, for writing.
  package var memory: UnsafeMutableRawBufferPointer { unsafe shared.region }

  /// Whether there is a display.
  package var isWanted: Bool { arguments != nil }

  /// A quarter of a second if someone may have sent a message; unlimited if nobody can.
  package var patienceNanoseconds: UInt64 {
    if isWanted || searching != nil { return Self.hearingNanoseconds }
    return monitor.retryNanoseconds.map { max($0, Self.hearingNanoseconds) } ?? .max
  }

  private static var hearingNanoseconds: UInt64 { 250_000_000 }

  /// The number of the running process; nil if there is none.
  package var processNumber: Int32? { sidecar.processNumber }

  /// Starts a process, after ending one that is running.
  @export(interface)
  package mutating func start() throws(DeviceFailure) {
    stop()
    guard let arguments else { return }
    var words = ProgramWords()
    words.append("fieldcorder-view" as FixedText<24>)
    arguments.write { words.append($0) }
    linux_step_back(try sidecar.start(&words, inherits: shared.descriptor.number), Self.niceness)
  }

  /// Kills the process and waits until it has ended.
  package mutating func stop() { sidecar.stop() }

  /// The oldest line not yet taken, made printable whatever the process sent, and cut off at 256 bytes.
  @export(interface)
  package mutating func receive() -> ViewEvent {
    var memory = InlineArray<256, UInt8>(repeating: 0)
    var span = memory.mutableSpan
    var buffer = unsafe span.mutableBytes
    switch sidecar.receive(into: &buffer, waitNanoseconds: 0) {
    case .nothing, nil: return .nothing
    case .packet(let byteCount):
      return .line(FixedText<256>(memory.span.extracting(first: min(byteCount, 256))).printable)
    case .end: return .ended(ending())
    }
  }

  /// Connects if there is no connection, every two seconds.
  package mutating func hearMonitor(at now: Instant) -> MonitorEvent {
    monitor.hear(sharing: shared.descriptor.number, at: now)
  }

  /// Connects to the fetching service.
  package mutating func search(_ order: SearchOrder) throws(SearchProblem) {
    searching = nil
    searching = .some(try SearchLink(order, service: streamService, isInStep: isInStep))
  }

  /// What the fetching service has sent.
  package mutating func nextSearchEvent() -> SearchEvent? {
    guard let event = searching?.nextEvent() else { return nil }
    if event.isLast { searching = nil }
    return event
  }

  /// Ends the connection, and with it the service's search.
  package mutating func endSearch() { searching = nil }

  /// Reaps a process whose socket is closed.
  private mutating func ending() -> FixedText<64> {
    switch sidecar.end() {
    case .signal(let number): "ended by signal \(number)"
    case .exit(126), .exit(127): "lacks a library that the README lists"
    case .exit(let status): "ended with status \(status)"
    case nil: "ended"
    }
  }
}
