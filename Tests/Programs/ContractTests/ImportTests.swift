import TestSupport
import Testing

/// The program's imports from the system's libraries, by its dynamic symbols.
@Suite struct ImportTests {
  @Test("of the allocator the program imports only the functions to which its meter passes calls on")
  func heap() throws {
    let symbols = try ForeignProgram.text("nm", ["-D", "--undefined-only", try ProgramUnderTest.path()])
    let names = symbols.split(separator: "\n").compactMap { line in
      line.split(separator: " ").last?.split(separator: "@").first.map(String.init)
    }
    #expect(names.count > 50)
    let heap: Set = [
      "malloc", "calloc", "realloc", "reallocarray", "free", "posix_memalign", "aligned_alloc", "memalign", "strdup",
    ]
    #expect(names.filter(heap.contains) == [])
    #expect(
      names.filter { $0.hasPrefix("__libc_") && !$0.hasPrefix("__libc_start") }.sorted()
        == ["__libc_calloc", "__libc_free", "__libc_malloc", "__libc_memalign", "__libc_realloc"])
  }
}
