import Base
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Machine

@Suite struct MemoryAndThreadTests {
  @Test("Boot memory is zeroed, starts on a page and is all present")
  func mapsMemory() throws {
    let pages = unsafe try #require(lockedPages(byteCount: 3 << 20))
    #expect(Int(bitPattern: pages) % 4096 == 0)
    unsafe #expect(UnsafeRawBufferPointer(start: pages, count: 3 << 20).allSatisfy { $0 == 0 })
  }

  @Test("What no take waits for is present as far as it is used, and all else from the beginning")
  func mapsMemoryAtFirstUse() throws {
    var memory = unsafe BootMemory(source: lockedPages, sparseSource: pagesAtFirstUse)
    let ring = unsafe try #require(memory.cut(byteCount: 1 << 20))
    memory.presence = .fromFirstUse
    let index = unsafe try #require(memory.cut(byteCount: 1 << 20))
    let before = try unsafe (residentKilobytes(ring), residentKilobytes(index))
    #expect(before == (1024, 0))
    unsafe index[100_000] = 1
    let after = try unsafe residentKilobytes(index)
    #expect((4...64).contains(after))
    #expect(memory.usedByteCount == 2 << 20)
  }

  /// From `/proc/self/pagemap` (Linux, admin-guide/mm/pagemap): bit 63 of a page's entry is set while it is present.
  private func residentKilobytes(_ piece: UnsafeMutableRawBufferPointer) throws -> Int {
    let pagemap = try #require(FileHandle(forReadingAtPath: "/proc/self/pagemap"))
    try pagemap.seek(toOffset: UInt64(UInt(bitPattern: piece.baseAddress!) / 4096 * 8))
    let entries = try #require(try pagemap.read(upToCount: piece.count / 4096 * 8))
    return stride(from: 7, to: entries.count, by: 8).count { entries[$0] & 0x80 != 0 } * 4
  }

  @Test("More memory than the machine has free is refused before it is promised")
  func refusesTooMuch() throws {
    let failure = #expect(throws: DeviceFailure.self) { try requireAvailableMemory(1 << 46) }
    unsafe #expect(lockedPages(byteCount: 1 << 46) == nil)
    #expect(failure?.kind == .full)
    #expect(
      failure.map { String($0.line) }
        == "memory 70,368,744.2 MB are more than the machine has free (errno 12): "
        + "lower [record] preroll_seconds or stall_seconds, or [video] preset, width and height or frame_rate")
  }

  @Test("Free memory is the number that free prints")
  func tellsFreeMemory() throws {
    let available = try #require(availableMemoryByteCount())
    let fields = try ForeignProgram.text("free", ["-b"]).split(separator: "\n")[1].split(separator: " ")
    let printed = try #require(Int(fields[6]))
    #expect(abs(available - printed) < 1 << 30)
  }

  @Test(
    "A line of /proc/meminfo is found by its label only",
    arguments: [
      ("MemFree: 12 kB\nMemAvailable:    345 kB\n", 345), ("MemAvailable:\t5 kB", nil), ("", nil),
      ("MemAvailable: x kB", nil),
    ])
  func parsesMemoryInformation(text: String, expected: Int?) {
    let bytes = Array(text.utf8)
    #expect(kibibytes(after: "MemAvailable:", in: bytes.span) == expected)
  }

  @Test("Posts before the worker waits count as one, and a wait without posts times out")
  func signalsWork() throws {
    let signal = try WorkSignal()
    signal.post()
    signal.post()
    let isPosted = signal.wait(timeoutNanoseconds: 0)
    #expect(isPosted)
    let start = Instant.now
    let isPostedAgain = signal.wait(timeoutNanoseconds: 20_000_000)
    #expect(!isPostedAgain)
    #expect(Instant.now - start >= 20_000_000)
  }

  @Test("A push between the worker's last check and its sleep keeps it awake")
  func isNotSleptThrough() throws {
    let work = try Work()
    var memory = leakedBootMemory()
    var queue = try unwrapped(Queue<UInt32>(capacity: 1, waking: work.doorbell, in: &memory))
    for value in 0..<100 as Range<UInt32> {
      let isEmpty = queue.consumer.pop() == nil
      let isPushed = queue.producer.push(value)
      let isAwake = work.signal.wait(timeoutNanoseconds: 60_000_000_000)
      let taken = queue.consumer.pop()
      #expect(isEmpty && isPushed && isAwake && taken == value)
    }
  }

  @Test("A worker that sleeps until the next push misses none, at any time")
  func wakesForEachPush() throws {
    let work = try Work()
    var memory = leakedBootMemory()
    let queue = try unwrapped(Queue<UInt32>(capacity: 1, waking: work.doorbell, in: &memory))
    let valueCount: UInt32 = 20_000
    var misplacedCount = 0
    onTwoThreads(writer: queue.producer, reader: queue.consumer) { producer in
      for value in 0..<valueCount {
        // The next push comes about when the worker goes to sleep: just as the last value is taken, or a little later.
        while producer.isFull { yieldThread() }
        let end = Instant.now + UInt64(value % 64) * 200
        while Instant.now < end {}
        _ = producer.push(value)
      }
    } read: { consumer in
      for expected in 0..<valueCount {
        var value = consumer.pop()
        // A spurious wake-up is allowed, a missed one is not.
        while value == nil {
          if !work.signal.wait(timeoutNanoseconds: 60_000_000_000) { misplacedCount += 1 }
          value = consumer.pop()
        }
        if value != expected { misplacedCount += 1 }
      }
    }
    #expect(misplacedCount == 0)
  }

  @Test("A worker runs under its name, is woken from another thread and is joined")
  func runsAWorker() throws {
    let work = try Work()
    let context = unsafe Unmanaged.passUnretained(work).toOpaque()
    let thread = try unsafe WorkerThread(name: "test-worker", context: context) { context in
      let work = unsafe Unmanaged<Work>.fromOpaque(context!).takeUnretainedValue()
      if work.signal.wait(timeoutNanoseconds: 60_000_000_000) { work.name.withLock { $0 = threadName() } }
      return nil
    }
    work.signal.post()
    thread.join()
    #expect(work.name.withLock { $0 } == "test-worker")
  }

  @Test("Real-time scheduling is granted to the calling thread alone, or refused with its remedy")
  func asksForRealTime() throws {
    let policy = Mutex<Int32>(-1)
    do throws(DeviceFailure) {
      try enterRealTime(priority: 1)
      // The rest of the value is SCHED_RESET_ON_FORK.
      #expect(sched_getscheduler(0) & 0xFF == SCHED_FIFO)
      let thread = Thread { policy.withLock { $0 = sched_getscheduler(0) } }
      thread.start()
      while policy.withLock({ $0 }) == -1 { usleep(1_000) }
      #expect(policy.withLock { $0 } == SCHED_OTHER)
      var ordinary = sched_param()
      unsafe sched_setscheduler(0, SCHED_OTHER, &ordinary)
    } catch {
      #expect(error.kind == .noPermission)
      #expect(String(error.line).hasPrefix("scheduler SCHED_FIFO 1 is refused (errno 1): set LimitRTPRIO"))
    }
  }

  @Test("The clock sleeps until an instant, and not at all for one that has passed")
  func sleeps() {
    var clock = MonotonicClock()
    let start = clock.now
    clock.sleep(until: start + 15_000_000)
    let end = clock.now
    #expect(end >= start + 15_000_000)
    clock.sleep(until: start)
    let seconds = clock.unixSeconds
    #expect(abs(Int64(Date().timeIntervalSince1970) - seconds) <= 1)
  }

  @Test("Identities are version 4 UUIDs, and all differ")
  func makesIdentities() {
    let one = DeviceIdentity.random()
    #expect(one.high >> 12 & 0xF == 4)
    #expect(one.low >> 62 == 0b10)
    #expect(one != DeviceIdentity.random())
  }
}

private final class Work: Sendable {
  let signal: WorkSignal
  let name = Mutex("")

  init() throws { signal = try WorkSignal() }

  /// Valid only as long as the work is kept.
  var doorbell: Doorbell {
    unsafe Doorbell(context: Unmanaged.passUnretained(self).toOpaque()) { work in
      unsafe Unmanaged<Work>.fromOpaque(work!).takeUnretainedValue().signal.post()
    }
  }
}

/// The thread's name as the kernel reports it.
private func threadName() -> String {
  let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
  return name?.trimmingCharacters(in: .newlines) ?? "unknown"
}
