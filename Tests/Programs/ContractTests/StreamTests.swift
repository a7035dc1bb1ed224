import Foundation
import TestSupport
import Testing

/// Streams of servers on loopback, through the fetching service and the decoder to the simulated card.
@Suite struct StreamTests {
  /// What ffmpeg makes of the same bytes.
  private func reference(_ bytes: [UInt8], _ format: String = "mp3") throws -> [UInt8] {
    try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-f", format, "-i", "-", "-f", "s16le", "-ac", "2", "-"], input: bytes)
  }

  private func listen(_ bench: StreamBench, _ commands: [String], configuration: String = "") throws -> Listening {
    try Listening(commands, configuration: bench.configuration + configuration)
  }

  @Test("an MP3 of a web server plays to its last packet, and the recorder uses no heap")
  func plainServer() throws {
    let mp3 = try StreamBench.mp3(seconds: 3)
    let bench = try StreamBench(["tone.mp3": mp3])
    let run = try listen(bench, ["stream \(bench.address("tone.mp3", "a=b&c=%20"))", "player", "wait 5"])
    #expect(run.exitStatus == 0)
    #expect(run.errors == [])
    let expected = Listening.trimmed(try reference(mp3)[...])
    #expect(abs(run.sound.count - expected.count) <= 4)
    #expect(run.events.contains("stream connected: audio/mpeg"))
    #expect(run.events.contains("stream connection finished"))
    #expect(run.reply(to: "player")?.lines.contains("buffer 1048576 bytes") == true)
    #expect(run.reply(to: "player")?.lines.contains("packets a read 512") == true)
    #expect(run.statuses[0].player.state == "none")
    #expect(run.statuses[0].heapAllocationsSinceBootComplete == 0)
  }

  @Test("without a service, without its socket and without a server the reply says what to do")
  func nothingThere() throws {
    let run = try Listening(["stream http://127.0.0.1:1/x.mp3", "stream file:///etc/passwd", "stream"])
    #expect(
      run.errors == [
        "stream http://127.0.0.1:1/x.mp3: error: stream cannot be fetched: set [stream] socket, and enable fieldcorder-fetch.socket",
        "stream file:///etc/passwd: error: stream wants an address such as http://radio.example/live.mp3, not \"file:///etc/passwd\"",
        "stream: error: stream wants an address",
      ])
    let absent = try Listening(
      ["stream http://127.0.0.1:1/x.mp3"], configuration: "[stream]\nsocket = /nowhere/socket\n")
    #expect(absent.errors.count == 1)
    #expect(absent.errors[0].contains("error: stream /nowhere/socket has no service there (errno 2): enable"))
    let bench = try StreamBench()
    bench.stopServer()
    let unreachable = try listen(bench, ["stream \(bench.address("x.mp3"))"])
    #expect(unreachable.errors.count == 1)
    #expect(unreachable.errors[0].contains("cannot be reached: check the address and the network"))
  }
}
