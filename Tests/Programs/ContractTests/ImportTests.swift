import TestSupport
import Testing

/// What the program asks of the system's libraries, as its dynamic symbols tell.
@Suite struct ImportTests {
  @Test("of the heap the program imports only what its meter passes others' calls on to")
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
