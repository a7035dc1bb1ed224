import TestSupport
import Testing

/// Third-party programs that read takes. `make readers` tries all takes with them, and those of more than 4 GiB.
@Suite struct ReaderTests {
  @Test(
    "a program that refuses a take refuses a file of ffmpeg of the same kind as well",
    arguments: Cases.some(0, of: ["short", "3 minutes", "killed", "repaired"]))
  func readers(kind: String) throws {
    try ForeignProgram.run(
      "board/reliability/readers", ["--quick", "--only", kind, "--program", ProgramUnderTest.path()])
  }
}
