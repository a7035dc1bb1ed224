import CDeviceArena
import CHeapMeter
import Foundation
import Testing

// Other tests of the process use the arena at the same time, so how much of it is in use proves nothing.
@Suite struct DeviceArenaTests {
  init() { device_arena_arm() }

  /// Runs `body` as if it opened a device.
  /// - Returns: the number of heap allocations.
  private func inside(_ body: () -> Void) -> UInt64 {
    let before = heap_meter_count_of_thread()
    device_arena_enter()
    body()
    device_arena_leave()
    return heap_meter_count_of_thread() - before
  }

  private func isOfArena(_ memory: UnsafeRawPointer?) -> Bool { unsafe fixed_arena_owns(device_arena(), memory) != 0 }

  @Test("Inside, malloc and its kin are served from the arena and do not count; outside, they go to the heap and do")
  func servesMalloc() {
    var memory = unsafe InlineArray<5, UnsafeMutableRawPointer?>(repeating: nil)
    let count = inside {
      unsafe memory[0] = malloc(100)
      unsafe memory[1] = calloc(10, 10)
      unsafe memory[2] = realloc(nil, 100)
      unsafe memory[3] = aligned_alloc(256, 512)
      unsafe posix_memalign(&memory[4], 64, 100)
    }
    #expect(count == 0)
    for index in 0..<5 { #expect(unsafe isOfArena(memory[index])) }
    #expect(unsafe UnsafeRawBufferPointer(start: memory[1], count: 100).allSatisfy { $0 == 0 })
    #expect(unsafe Int(bitPattern: memory[3]) % 256 == 0 && Int(bitPattern: memory[4]) % 64 == 0)
    // Freed outside, as by a library that is closed later.
    for index in 0..<5 { unsafe free(memory[index]) }
    let before = heap_meter_count_of_thread()
    let ordinary = unsafe malloc(100)
    #expect(heap_meter_count_of_thread() == before + 1)
    #expect(unsafe !isOfArena(ordinary))
    unsafe free(ordinary)
  }

  @Test("realloc keeps the bytes across the border, in either direction")
  func reallocates() {
    let outside = unsafe malloc(64)
    unsafe outside?.initializeMemory(as: UInt8.self, repeating: 7, count: 64)
    var moved = unsafe outside
    #expect(inside { unsafe moved = realloc(outside, 4000) } == 0)
    #expect(unsafe isOfArena(moved))
    #expect(unsafe UnsafeRawBufferPointer(start: moved, count: 64).allSatisfy { $0 == 7 })
    let back = unsafe realloc(moved, 2 * DEVICE_ARENA_CAPACITY)
    #expect(unsafe !isOfArena(back))
    #expect(unsafe UnsafeRawBufferPointer(start: back, count: 64).allSatisfy { $0 == 7 })
    unsafe free(back)
  }

  @Test("What does not fit the arena comes from the heap, and is counted")
  func countsOverflow() {
    var memory: UnsafeMutableRawPointer?
    #expect(inside { unsafe memory = malloc(DEVICE_ARENA_CAPACITY) } == 1)
    #expect(unsafe memory != nil && !isOfArena(memory))
    unsafe free(memory)
  }

  @Test("The requests of other threads go to the heap while this one is inside")
  func isPerThread() {
    device_arena_enter()
    defer { device_arena_leave() }
    let done = DispatchSemaphore(value: 0)
    let answer = Answer()
    Thread {
      let memory = unsafe malloc(100)
      answer.isYes = unsafe fixed_arena_owns(device_arena(), memory) != 0
      unsafe free(memory)
      done.signal()
    }.start()
    done.wait()
    #expect(!answer.isYes)
  }
}

private final class Answer: @unchecked Sendable {
  var isYes = true
}
