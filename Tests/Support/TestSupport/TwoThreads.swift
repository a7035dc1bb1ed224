import Foundation

/// Runs a writer and a reader at the same time, each on its own thread, and returns once both have ended.
///
/// Each gets a noncopyable value, such as one end of a ring.
package func onTwoThreads<Writer: ~Copyable, Reader: ~Copyable>(
  writer: consuming Writer, reader: consuming Reader,
  write: @escaping (inout Writer) -> Void, read: @escaping (inout Reader) -> Void
) {
  let writing = startThread(with: writer, write)
  let reading = startThread(with: reader, read)
  writing.wait()
  reading.wait()
}

/// Runs `body` on its own thread, with a value that only this thread has.
/// - Returns: a semaphore that is signalled once the thread has ended.
package func startThread<Value: ~Copyable>(
  with value: consuming Value, _ body: @escaping (inout Value) -> Void
) -> DispatchSemaphore {
  let done = DispatchSemaphore(value: 0)
  let handover = Handover(value: value, body: body)
  Thread {
    handover.body(&handover.value)
    done.signal()
  }.start()
  return done
}

/// Carries a value to its thread; no other thread uses it afterwards.
private final class Handover<Value: ~Copyable>: @unchecked Sendable {
  var value: Value
  let body: (inout Value) -> Void

  init(value: consuming Value, body: @escaping (inout Value) -> Void) {
    self.value = value
    self.body = body
  }
}

/// Yields to the other thread, while waiting for a ring to fill or empty.
package func yieldThread() { sched_yield() }
