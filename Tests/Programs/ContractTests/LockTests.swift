import Foundation
import TestSupport
import Testing

/// Two recorders on one data folder.
@Suite struct LockTests {
  @Test("a second recorder on a data folder ends and names the first, whose take stays whole")
  func secondRecorder() throws {
    let first = try Session(["record start", "wait 3", "record stop", "wait 1", "quit"], clock: .real)
    try first.waitForLines(1, beginningWith: "* take ")
    for _ in 0..<3 {
      let second = try Session(["wait 1", "quit"], clock: .real, dataFolder: first.dataFolder)
      #expect(second.end() == 1)
      let complaints = try second.complaints()
      #expect(
        complaints == [
          "fieldcorder: storage \(first.dataFolder) is in use by process \(first.processNumber): "
            + "end that recorder, or give --data another folder"
        ])
    }
    #expect(first.end() == 0)
    let path = try #require(first.takes().first)
    #expect(first.takes().count == 1)
    let seconds = try #require(Double(try ForeignProgram.probe(path, stream: "v:0", entry: "duration")))
    #expect(seconds > 2.9)
  }

  @Test("the folder is free again once a recorder was killed")
  func killedRecorder() throws {
    let first = try Session(["wait 60"], clock: .real)
    try first.waitForLines(1, beginningWith: "* ")
    first.send(SIGKILL)
    _ = first.end()
    #expect(try Session(["quit"], dataFolder: first.dataFolder).end() == 0)
  }
}
