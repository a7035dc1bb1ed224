import Base
import Machine
import Wire

/// A live view process controlled by a test: its output, its end, and a reader of its memory.
@safe final class ViewModel {
  var isWanted = false
  var isRunning = false
  /// Why the next start fails.
  var startFailure: DeviceFailure?
  /// Its next output.
  var words: [ViewEvent] = []
  /// Its output once ``words`` is empty.
  var lastWord = ViewEvent.nothing
  /// The next messages of the program that serves listeners.
  var monitorWords: [MonitorEvent] = []
  /// Why a search is not possible.
  var searchProblem: SearchProblem?
  /// The next results of a search.
  var searchEvents: [SearchEvent] = []
  /// The requested searches.
  private(set) var searches: [SearchOrder] = []
  var isSearching = false
  private(set) var startCount = 0
  private(set) var reader: ViewReader?
  private var region = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

  func start() throws(DeviceFailure) {
    startCount += 1
    if let startFailure { throw startFailure }
    isRunning = true
    reader = unsafe ViewReader(region)
  }

  func say() -> ViewEvent {
    let word = words.isEmpty ? lastWord : words.removeFirst()
    if case .ended = word { isRunning = false }
    return word
  }

  func search(_ order: SearchOrder) throws(SearchProblem) {
    searches.append(order)
    if let searchProblem { throw searchProblem }
    isSearching = true
  }

  /// Never freed, like the recorder's.
  func map(byteCount: Int) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4_096)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe region = UnsafeRawBufferPointer(memory)
    return unsafe memory
  }

  /// Reads the memory without a process.
  func look() -> ViewReader? { unsafe ViewReader(region) }
}

/// The worker's side of a ``ViewModel``.
@safe struct ScriptedView: ViewDriver, ~Copyable {
  var patienceNanoseconds: UInt64 { 250_000_000 }
  let model: ViewModel
  // Safe: the model never frees it.
  let memory: UnsafeMutableRawBufferPointer

  init(_ model: ViewModel, byteCount: Int) {
    self.model = model
    unsafe memory = model.map(byteCount: byteCount)
  }

  var isWanted: Bool { model.isWanted }

  mutating func start() throws(DeviceFailure) { try model.start() }

  mutating func stop() { model.isRunning = false }

  mutating func receive() -> ViewEvent { model.isRunning ? model.say() : .nothing }

  mutating func hearMonitor(at now: Instant) -> MonitorEvent {
    model.monitorWords.isEmpty ? .nothing : model.monitorWords.removeFirst()
  }

  mutating func search(_ order: SearchOrder) throws(SearchProblem) { try model.search(order) }

  mutating func nextSearchEvent() -> SearchEvent? {
    model.isSearching && !model.searchEvents.isEmpty ? model.searchEvents.removeFirst() : nil
  }

  mutating func endSearch() { model.isSearching = false }
}
