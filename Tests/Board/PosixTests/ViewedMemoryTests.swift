import CLinux
import TestSupport
import Testing

@testable import Machine

@Suite struct ViewedMemoryTests {
  private static let byteCount = 3 * 4_096

  @Test("Memory for the live view is zeroed, starts on a page, and writes are visible through its descriptor")
  func isSeen() throws {
    let memory = try ViewedMemory(byteCount: Self.byteCount)
    let region = unsafe memory.region
    let number = memory.descriptor.number
    let isZeroed = unsafe region.count == Self.byteCount && region.allSatisfy { $0 == 0 }
    #expect(isZeroed)
    let isAligned = Int(bitPattern: region.baseAddress) % 4_096 == 0
    #expect(isAligned)
    let seen = unsafe mmap(nil, Self.byteCount, PROT_READ, MAP_SHARED, number, 0)!
    unsafe region[4_097] = 77
    #expect(unsafe seen.load(fromByteOffset: 4_097, as: UInt8.self) == 77)
    unsafe munmap(seen, Self.byteCount)
  }

  @Test("No other process can write or shrink it, also on a kernel without the seal", arguments: [true, false])
  func isToReadOnly(forbidsWriting: Bool) throws {
    let memory = try ViewedMemory(byteCount: Self.byteCount, forbidsWriting: forbidsWriting)
    let number = memory.descriptor.number
    let writable = unsafe mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0)
    #expect(unsafe linux_is_map_failed(writable) != 0)
    let readable = unsafe mmap(nil, Self.byteCount, PROT_READ, MAP_SHARED, number, 0)
    #expect(unsafe linux_is_map_failed(readable) == 0)
    #expect(unsafe mprotect(readable!, Self.byteCount, PROT_READ | PROT_WRITE) == -1)
    #expect(unsafe write(number, [1], 1) == -1)
    #expect(ftruncate(number, 0) == -1)
  }

  @Test("With the seal not even root, who may open the memory again, can map it for writing or write into it")
  func isSealed() throws {
    let memory = try ViewedMemory(byteCount: Self.byteCount)
    let path = "/proc/self/fd/\(memory.descriptor.number)"
    let again = unsafe linux_openat(AT_FDCWD, path, O_RDWR, 0)
    defer { close(again) }
    // An ordinary user does not get this far.
    guard again >= 0 else { return }
    let writable = unsafe mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0)
    #expect(unsafe linux_is_map_failed(writable) != 0)
    #expect(unsafe write(again, [1], 1) == -1)
    #expect(ftruncate(again, 0) == -1 && ftruncate(again, 1 << 20) == -1)
  }

  @Test("More memory than the machine has free is refused")
  func refusesTooMuch() throws {
    let failure = #expect(throws: DeviceFailure.self) { _ = try ViewedMemory(byteCount: 1 << 46) }
    #expect(failure?.kind == .full)
  }
}
