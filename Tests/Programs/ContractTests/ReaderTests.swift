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

  @Test(
    "programs that show what a WAV says about itself agree, and find nothing blank",
    arguments: Cases.some(0, of: ["wav"]))
  func facts(container: String) throws {
    try ForeignProgram.run("board/reliability/readers", ["--facts", "--program", ProgramUnderTest.path()])
  }
}
