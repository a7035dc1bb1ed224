import Foundation
import TestSupport
import Testing

/// `discover` through the fetching service.
@Suite(.serialized) struct DiscoverTests {
  /// Repeats the search until the expected number of lines is found: Avahi announces a service only after it has
  /// checked that its name is free, which may take long on this machine.
  private func discover(lines count: Int, _ bench: StreamBench) throws -> Listening {
    var run = try Listening(["discover"], configuration: bench.configuration)
    for _ in 0..<10 where run.replies[0].lines.count < count {
      run = try Listening(["discover"], configuration: bench.configuration)
    }
    return run
  }

  @Test(
    "What Avahi has of our files is found, by its name as well when that looks like something else, and no other page is",
    .enabled(if: AvahiNetwork.isPossible, "no network can be made here: run the tests as root"))
  func finds() throws {
    let network = try AvahiNetwork([
      "snapcast": try AvahiNetwork.installedFile("fieldcorder-snapcast"),
      "http": try AvahiNetwork.installedFile("fieldcorder-http"),
      "printer": AvahiNetwork.file(name: "Printer", "_http._tcp", port: 631),
      "strange": AvahiNetwork.file(name: "Bad&#10;ok&#9;거실", "_snapcast._tcp", port: 9999),
    ])
    let run = try discover(lines: 3, try StreamBench(environment: network.environment))
    #expect(run.errors == [] && run.exitStatus == 0)
    #expect(
      run.replies[0].lines.sorted() == [
        "listen 127.0.0.1 1704: snapcast, kitchen.local, kitchen",
        "listen 127.0.0.1 9999: snapcast, kitchen.local, Bad ok 거실",
        "stream http://127.0.0.1:8040/live.opus?token=TOKEN: fieldcorder, 127.0.0.1, kitchen",
      ])
    #expect(run.statuses[0].heapAllocationsSinceBootComplete == 0)
  }

  @Test(
    "Of forty servers 32 are listed, and that there are more",
    .enabled(if: AvahiNetwork.isPossible, "no network can be made here: run the tests as root"))
  func findsMany() throws {
    let services = (1...40).map {
      ("s\($0)", AvahiNetwork.file(name: "Player \($0)", "_snapcast._tcp", port: 2000 + $0))
    }
    let network = try AvahiNetwork(Dictionary(uniqueKeysWithValues: services))
    let lines = try discover(lines: 33, try StreamBench(environment: network.environment)).replies[0].lines
    #expect(lines.count == 33 && Set(lines).count == 33)
    #expect(lines.last == "there are more: the first 32 that answered are listed")
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix("listen 127.0.0.1 20") })
  }

  @Test("Without a service, without its socket and without Avahi the reply says what to do")
  func nothingThere() throws {
    #expect(
      try Listening(["discover"]).errors == [
        "discover: error: nothing can be found: set [stream] socket, and enable fieldcorder-fetch.socket"
      ])
    #expect(
      try Listening(["discover"], configuration: "[stream]\nsocket = /nowhere/socket\n").errors == [
        "discover: error: fieldcorder-fetch cannot be reached: enable fieldcorder-fetch.socket, or check [stream] socket"
      ])
    let bench = try StreamBench(environment: AvahiNetwork.environment(bus: "/nowhere/bus"))
    for clock in [Session.Clock.fast, .real] {
      let run = try Listening(["discover 1"], configuration: bench.configuration, clock: clock)
      #expect(run.errors == ["discover 1: error: Avahi cannot be reached: install avahi-daemon, and start it"])
    }
    #expect(bench.isServing)
  }
}
