import CLinux

/// What keeps the reading and the decoding thread from one another's buffers, and wakes each.
@safe struct ReadingLock {
  // Sound: all three are made once and never freed.
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

  // With the lock held.
  func announceWork() { unsafe pthread_cond_signal(work) }
  func announceRead() { unsafe pthread_cond_broadcast(read) }
  func waitForWork() { unsafe pthread_cond_wait(work, mutex) }
  func waitForRead() { unsafe pthread_cond_wait(read, mutex) }
}
