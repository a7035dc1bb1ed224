import Port
import CLinux
import Posix

/// Keeps the buffers of the open items full, and opens the one that follows, so that a card that stalls does not stop who
/// decodes. It lives as long as the process.
@safe struct ReadingThread: ~Copyable {
  /// The item that is open, and the one that follows it.
  static var storeLimit: Int { 2 }

  let lock = ReadingLock()
  // Sound: never freed; looked at and changed with the lock held.
  private let stores: UnsafeMutablePointer<UnsafeMutablePointer<PacketStore>?>

  private let hasStarted: UnsafeMutablePointer<Bool>
  // Sound: likewise; while the errand runs, only its phase is looked at.
  private let errand: UnsafeMutablePointer<OpeningErrand>
  private let socket: Int32

  /// - Parameter socket: where the errand's answer goes.
  private init(socket: Int32) {
    self.socket = socket
    unsafe errand = Heap.place(OpeningErrand())
    unsafe hasStarted = Heap.place(false)
    let room = unsafe Heap.bytes(Self.storeLimit * MemoryLayout<UnsafeMutablePointer<PacketStore>?>.stride)
    unsafe stores = UnsafeMutableRawPointer(room).bindMemory(
      to: UnsafeMutablePointer<PacketStore>?.self, capacity: Self.storeLimit)
  }

  /// Starts a thread that lives as long as the process does, and waits until it runs: what a thread asks of the system
  /// to begin with is refused once the process is shut in.
  /// - Returns: its place, for ``add(_:)`` and ``remove(_:)``.
  static func start(socket: Int32) throws(DeviceFailure) -> UnsafeMutablePointer<ReadingThread> {
    let place = unsafe Heap.place(ReadingThread(socket: socket))
    _ = unsafe try WorkerThread(name: "reading", context: place) { context in
      unsafe context!.assumingMemoryBound(to: ReadingThread.self).pointee.run()
    }
    unsafe place.pointee.lock.acquire()
    while unsafe !place.pointee.hasStarted.pointee { unsafe place.pointee.lock.waitForRead() }
    unsafe place.pointee.lock.release()
    return unsafe place
  }

  private func run() -> Never {
    lock.acquire()
    unsafe hasStarted.pointee = true
    lock.announceRead()
    while true {
      if let store = unsafe nextStore {
        unsafe store.pointee.readOne()
      } else if unsafe errand.pointee.phase == .wanted {
        runErrand()
      } else {
        lock.waitForWork()
      }
    }
  }

  /// The open item goes before the next one.
  private var nextStore: UnsafeMutablePointer<PacketStore>? {
    for index in 0..<Self.storeLimit {
      if let store = unsafe stores[index], unsafe store.pointee.hasWork { return unsafe store }
    }
    return nil
  }

  /// Opens the file that is wanted, and answers; called with the lock held, which is let go meanwhile.
  private func runErrand() {
    unsafe errand.pointee.phase = .running
    let ticket = unsafe errand.pointee.ticket
    let file = unsafe errand.pointee.file.take()
    lock.release()
    let item = unsafe OpenItem.answering(
      file, ticket: ticket, .hurry, lock: lock, socket: OrderSocket(descriptor: socket)
    ) { unsafe add($0) }
    lock.acquire()
    unsafe errand.pointee.item = item
    unsafe errand.pointee.phase = .done
    lock.announceRead()
  }

  /// Has a file opened, and answers when that is done. Nothing else is under way.
  func open(_ file: consuming FileDescriptor?, ticket: UInt32) {
    lock.acquire()
    unsafe errand.pointee.file = file
    unsafe errand.pointee.ticket = ticket
    unsafe errand.pointee.phase = .wanted
    lock.announceWork()
    lock.release()
  }

  /// The item that was to be opened, once that is done; nil where it could not be, or none was to be.
  func takeOpened() -> OpenItem? {
    lock.acquire()
    while unsafe errand.pointee.isUnderWay { lock.waitForRead() }
    unsafe errand.pointee.phase = .idle
    let item = unsafe errand.pointee.item.take()
    lock.release()
    return item
  }

  /// Looks after a store from now on; it is paused.
  func add(_ store: UnsafeMutablePointer<PacketStore>) {
    lock.acquire()
    defer { lock.release() }
    for index in 0..<Self.storeLimit where unsafe stores[index] == nil {
      unsafe stores[index] = store
      return
    }
  }

  /// Forgets a store; it is paused.
  func remove(_ store: UnsafeMutablePointer<PacketStore>) {
    lock.acquire()
    defer { lock.release() }
    for index in 0..<Self.storeLimit where unsafe stores[index] == store { unsafe stores[index] = nil }
  }
}
