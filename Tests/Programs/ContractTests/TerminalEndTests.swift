import Foundation
import Glibc
import TestSupport
import Testing

/// The terminal's state after the recorder's end.
@Suite struct TerminalEndTests {
  @Test("a recorder that is ended during a live preview restores the terminal's lines and colours")
  func live() throws {
    let folder = try TemporaryFolder()
    let person = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    defer { close(person) }
    // ioctl_tty(2), TIOCSPTLCK and TIOCGPTN: macros that Swift cannot import.
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    let isUnlocked = unsafe ioctl(person, 0x4004_5431, &isLocked) == 0
    let isNamed = unsafe ioctl(person, 0x8004_5430, &number) == 0
    try #require(isUnlocked && isNamed)
    let name = "/dev/pts/\(number)"
    let terminal = try #require(FileHandle(forUpdatingAtPath: name))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try ProgramUnderTest.path())
    process.environment = ProgramUnderTest.environment
    process.arguments = ["--board", "sim", "--data", folder.path(of: "data")]
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = FileHandle.nullDevice
    try process.run()
    var screen: [UInt8] = []
    let written = unsafe write(person, "preview live\r", 13)
    #expect(written == 13)
    // The cursor is restored after the first picture.
    while process.isRunning, screen.firstRange(of: Array("\u{1B}8".utf8)) == nil { Self.read(person, onto: &screen) }
    process.terminate()
    while process.isRunning { Self.read(person, onto: &screen) }
    Self.read(person, onto: &screen)
    #expect(process.terminationStatus == 0)
    let reset = try #require(screen.ranges(of: Array("\u{1B}[0m\u{1B}[r\u{1B}[999;1H".utf8)).last)
    #expect(screen[reset.upperBound...].firstRange(of: Array("\u{1B}[H".utf8)) == nil)
  }

  private static func read(_ descriptor: Int32, onto screen: inout [UInt8]) {
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(descriptor, &part, part.count)
      guard count > 0 else { break }
      screen += part.prefix(count)
    }
    usleep(1_000)
  }
}
