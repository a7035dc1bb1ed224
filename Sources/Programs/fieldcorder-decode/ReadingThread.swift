import CLinux
import Machine
import Wire

/// Keeps the buffers of the open items full and opens the next item, so that a card that stalls does not stop the
/// decoding. It lives as long as the process.
@safe struct ReadingThread: ~Copyable {
  /// The open item and the next one.
  static var storeLimit: Int { 2 }

  let lock = ReadingLock()
  // Safe: never freed; accessed with the lock held.
  private let stores: UnsafeMutablePointer<UnsafeMutablePointer<PacketStore>?>
  private let hasStarted: UnsafeMutablePointer<Bool>
  // Safe: as above; while the file is being opened, only the phase is read.
  private let pending: UnsafeMutablePointer<PendingOpen>
  private let socket: Int32

  /// - Parameter socket: for the answer to a pending open.
  private init(socket: Int32) {
    self.socket = socket
    unsafe pending = Heap.place(PendingOpen())
    unsafe hasStarted = Heap.place(false)
    unsafe stores = Heap.array(UnsafeMutablePointer<PacketStore>?.self, count: Self.storeLimit)
  }

  /// Starts the thread and waits until it runs: a thread cannot start inside the sandbox.
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
      } else if unsafe pending.pointee.phase == .wanted {
        openPending()
      } else {
        lock.waitForWork()
      }
    }
  }

  /// The open item's store has priority over the next one's.
  private var nextStore: UnsafeMutablePointer<PacketStore>? {
    for index in 0..<Self.storeLimit {
      if let store = unsafe stores[index], unsafe store.pointee.hasWork { return unsafe store }
    }
    return nil
  }

  /// Opens the wanted file and answers; called with the lock held, which is released meanwhile.
  private func openPending() {
    unsafe pending.pointee.phase = .running
    let requestID = unsafe pending.pointee.requestID
    let file = unsafe pending.pointee.file.take()
    lock.release()
    let item = unsafe OpenItem.answering(
      file, requestID: requestID, .quick, lock: lock, socket: OrderSocket(descriptor: socket)
    ) { unsafe add($0) }
    lock.acquire()
    unsafe pending.pointee.item = item
    unsafe pending.pointee.phase = .done
    lock.announceRead()
  }

  /// Has a file opened; the answer is sent when that is done. Requires that no other open is pending.
  func open(_ file: consuming FileDescriptor?, requestID: UInt32) {
    lock.acquire()
    unsafe pending.pointee.file = file
    unsafe pending.pointee.requestID = requestID
    unsafe pending.pointee.phase = .wanted
    lock.announceWork()
    lock.release()
  }

  /// Waits for the pending item; nil if it could not be opened, or none was pending.
  func takeOpened() -> OpenItem? {
    lock.acquire()
    while unsafe pending.pointee.isUnderWay { lock.waitForRead() }
    unsafe pending.pointee.phase = .idle
    let item = unsafe pending.pointee.item.take()
    lock.release()
    return item
  }

  /// Keeps a store's buffers full from now on. Requires that it is paused.
  func add(_ store: UnsafeMutablePointer<PacketStore>) {
    lock.acquire()
    defer { lock.release() }
    for index in 0..<Self.storeLimit where unsafe stores[index] == nil {
      unsafe stores[index] = store
      return
    }
  }

  /// Forgets a store. Requires that it is paused.
  func remove(_ store: UnsafeMutablePointer<PacketStore>) {
    lock.acquire()
    defer { lock.release() }
    for index in 0..<Self.storeLimit where unsafe stores[index] == store { unsafe stores[index] = nil }
  }
}

/// The next item while the reading thread opens it.
struct PendingOpen: ~Copyable {
  enum Phase {
    case idle
    case wanted
    case running
    case done
  }

  var phase = Phase.idle
  var requestID: UInt32 = 0
  /// Set while the item is wanted.
  var file: FileDescriptor?
  /// Set once the item is open; nil if that failed.
  var item: OpenItem?

  /// Whether the item may still come.
  var isUnderWay: Bool { phase == .wanted || phase == .running }
}

/// Protects the state shared by the reading and the decoding thread, and wakes each of them.
@safe struct ReadingLock {
  // Safe: all three are made once and never freed.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let work: UnsafeMutablePointer<pthread_cond_t>
  private let read: UnsafeMutablePointer<pthread_cond_t>

  init() {
    unsafe mutex = Heap.place(pthread_mutex_t())
    unsafe work = Heap.place(pthread_cond_t())
    unsafe read = Heap.place(pthread_cond_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(work, nil)
    unsafe pthread_cond_init(read, nil)
  }

  func acquire() { unsafe pthread_mutex_lock(mutex) }
  func release() { unsafe pthread_mutex_unlock(mutex) }

  // All four require that the lock is held.
  func announceWork() { unsafe pthread_cond_signal(work) }
  func announceRead() { unsafe pthread_cond_broadcast(read) }
  func waitForWork() { unsafe pthread_cond_wait(work, mutex) }
  func waitForRead() { unsafe pthread_cond_wait(read, mutex) }
}
