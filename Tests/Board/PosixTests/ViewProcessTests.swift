import Base
import CLinux
import Foundation
import TestSupport
import Testing

@testable import Machine

@Suite struct ViewProcessTests {
  @Test("The process is given display, scaling, size, mounting and font, and its lines and end are reported")
  func talks() throws {
    let rig = try Rig(#"printf 'display %s' "$*" >&3; printf 'a\033b' >&3; exit 3"#)
    var view = try rig.view()
    let isWanted = view.isWanted
    #expect(isWanted)
    expectNone(view)
    try view.start()
    #expect(hear(&view) == "display /dev/dri/card0 fill 640 480 standing /fonts/a.ttf")
    #expect(hear(&view) == "a b")
    #expect(hear(&view) == "ended with status 3")
    expectNone(view)
    #expect(hear(&view, patienceMilliseconds: 50) == nil)
  }

  @Test("It reads what the recorder writes, and cannot write it")
  func reads() throws {
    let rig = try Rig(
      """
      /usr/bin/head -c 5 <&4 >&3
      printf x >&4 && printf written >&3
      printf x 1<>/proc/self/fd/4 && printf written >&3
      /usr/bin/truncate -s 0 /proc/self/fd/4 && printf shortened >&3
      printf done >&3
      """)
    var view = try rig.view()
    let memory = unsafe view.memory
    unsafe memory.copyBytes(from: "hello".utf8)
    try view.start()
    #expect(hear(&view) == "hello")
    #expect(hear(&view) == "done")
    #expect(unsafe memory[0] == UInt8(ascii: "h"))
  }

  @Test("When memory is short it is ended before the recorder")
  func isEndedFirst() throws {
    let rig = try Rig(#"read score </proc/$$/oom_score_adj; printf 'score %s' "$score" >&3"#)
    let own = try String(contentsOfFile: "/proc/self/oom_score_adj", encoding: .utf8)
    var view = try rig.view()
    try view.start()
    #expect(hear(&view) == "score 500")
    #expect(try String(contentsOfFile: "/proc/self/oom_score_adj", encoding: .utf8) == own)
  }

  @Test("Killed from outside it is reaped and reported; frozen it is not waited for, and has ended once it is stopped")
  func survivesDeath() throws {
    let rig = try Rig("printf here >&3; exec /bin/sleep 60")
    var view = try rig.view()
    try view.start()
    #expect(hear(&view) == "here")
    let first = try number(of: view)
    kill(first, SIGKILL)
    #expect(hear(&view) == "ended by signal 9")
    #expect(kill(first, 0) == -1)
    try view.start()
    #expect(hear(&view) == "here")
    let second = try number(of: view)
    kill(second, SIGSTOP)
    #expect(hear(&view, patienceMilliseconds: 50) == nil)
    view.stop()
    #expect(kill(second, 0) == -1)
  }

  @Test("Without the program the start fails, and without a display nothing is started")
  func startsNothing() throws {
    let rig = try Rig("exit 0")
    var missing = try rig.view(program: "/nonexistent/fieldcorder-view")
    let failure = #expect(throws: DeviceFailure.self) { try missing.start() }
    #expect(failure?.device == .view)
    expectNone(missing)
    var dark = try rig.view(display: nil)
    try dark.start()
    let isWanted = dark.isWanted
    #expect(!isWanted)
    expectNone(dark)
  }

  private func number(of view: borrowing ViewProcess) throws -> Int32 { try unwrapped(view.processNumber) }

  private func expectNone(_ view: borrowing ViewProcess) {
    let number = view.processNumber
    #expect(number == nil)
  }

  /// The next report: a line, or how the process ended; nil if there is none within the timeout.
  private func hear(_ view: inout ViewProcess, patienceMilliseconds: Int = 60_000) -> String? {
    for _ in 0..<patienceMilliseconds {
      switch view.receive() {
      case .line(let line): return String(line)
      case .ended(let ending): return String(ending)
      case .nothing: usleep(1_000)
      }
    }
    return nil
  }

  /// A shell script in place of the program: the socket is its descriptor 3, the memory 4.
  private struct Rig: ~Copyable {
    private let folder: TemporaryFolder
    private let program: FixedText<256>

    init(_ script: String) throws {
      let folder = try TemporaryFolder()
      program = FixedText(try folder.installScript(script + "\n", as: "fieldcorder-view"))
      self.folder = folder
    }

    func view(program: FixedText<256>? = nil, display: FixedText<64>? = "/dev/dri/card0") throws -> ViewProcess {
      try ViewProcess(
        program: program ?? self.program, display: display, scaling: .fill, mounting: .standing,
        font: "/fonts/a.ttf", setup: ViewSetup(byteCount: 8_192, widthPixels: 640, heightPixels: 480))
    }
  }
}
