import Base
import CLinux
import Wire

/// `fieldcorder-view` as a process of its own: it inherits the memory that it reads, and one end of a socket by which
/// it says lines and learns that the recorder is gone.
///
/// The process ends with the thread that started it, at the latest.
package struct ViewProcess: ViewDriver, ~Copyable {
  /// The encoder goes before it where both want the processor: as `nice` counts, 0…19.
  private static var niceness: Int32 { 15 }

  /// Nil without a display.
  private let arguments: ViewArguments?
  private let shared: ViewedMemory
  private var sidecar: Sidecar
  private var monitor: MonitorLink
  /// The fetching service's socket; nil for none.
  private let streamService: FixedText<64>?
  /// Whether what a search finds is waited for.
  private let isInStep: Bool
  private var searching: SearchLink?

  /// Maps the memory; no process is started yet.
  /// - Parameters:
  ///   - program: nil: `fieldcorder-view` beside the program that runs.
  ///   - display: a node such as `/dev/dri/card0`; nil for none: then there is only the memory.
  ///   - scaling: how a picture of other proportions is shown.
  ///   - mounting: what becomes of the display when the device is rotated.
  ///   - font: a file whose letters come before the usual ones; nil for none.
  ///   - monitorSocket: where `fieldcorder-monitor` listens; nil for none.
  ///   - streamService: the path of the fetching service's socket; nil for none.
  ///   - isInStep: whether what a search finds is waited for, as ``Decoder/isInStep``.
  /// - Throws: when there is no memory for it.
  package init(
    program: FixedText<256>? = nil, display: FixedText<64>?, scaling: Framing, mounting: Mounting,
    font: FixedText<64>? = nil, monitorSocket: FixedText<64>? = nil, streamService: FixedText<64>? = nil,
    isInStep: Bool = false,
    setup: ViewSetup
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

  // Safe: it is never unmapped, and divided up once.
  /// The memory, to write.
  package var memory: UnsafeMutableRawBufferPointer { unsafe shared.region }

  /// Whether there is a display.
  package var isWanted: Bool { arguments != nil }

  /// A quarter of a second where somebody may have said something; for ever where nobody can.
  package var patienceNanoseconds: UInt64 {
    if isWanted || searching != nil { return Self.hearingNanoseconds }
    return monitor.retryNanoseconds.map { max($0, Self.hearingNanoseconds) } ?? .max
  }

  private static var hearingNanoseconds: UInt64 { 250_000_000 }

  /// The number of the process that runs; nil when none does.
  package var processNumber: Int32? { sidecar.processNumber }

  /// Starts a process; one that runs is ended first.
  @export(interface)
  package mutating func start() throws(DeviceFailure) {
    stop()
    guard let arguments else { return }
    var words = ProgramWords()
    words.append("fieldcorder-view" as FixedText<24>)
    arguments.write { words.append($0) }
    linux_step_back(try sidecar.start(&words, inherits: shared.descriptor.number), Self.niceness)
  }

  /// Kills the process, and waits until it is gone.
  package mutating func stop() { sidecar.stop() }

  /// The oldest line that has not been taken, made printable, whatever the process sent, and cut off at 256 bytes.
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

  /// Connects where nobody is connected, every two seconds.
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
