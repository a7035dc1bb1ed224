import Foundation

/// Runs a writer and a reader at the same time, each on a thread of its own, and returns when both are done.
///
/// Each gets a value that cannot be copied, which is what the ends of a ring are.
public func onTwoThreads<Writer: ~Copyable, Reader: ~Copyable>(
  writer: consuming Writer, reader: consuming Reader,
  write: @escaping (inout Writer) -> Void, read: @escaping (inout Reader) -> Void
) {
  let writing = startThread(with: writer, write)
  let reading = startThread(with: reader, read)
  writing.wait()
  reading.wait()
}

/// Runs `body` on a thread of its own, with a value that nobody else has.
/// - Returns: signalled when it is done.
public func startThread<Value: ~Copyable>(
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

/// Carries a value into its thread; nothing else looks at it afterwards.
private final class Handover<Value: ~Copyable>: @unchecked Sendable {
  var value: Value
  let body: (inout Value) -> Void

  init(value: consuming Value, body: @escaping (inout Value) -> Void) {
    self.value = value
    self.body = body
  }
}

/// Lets the other thread run, for one that waits for a ring to fill or empty.
public func yieldThread() { sched_yield() }
