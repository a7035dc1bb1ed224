import Foundation
import TestSupport
import Testing

/// The zoom in the console's replies and `status json`.
@Suite struct ZoomTests {
  /// The values of `status json` every 50 ms after a command.
  private func factors(_ command: String, configuration: String = "", count: Int = 30) throws -> [Double] {
    let session = try Session(
      ["wait 1", command] + (0..<count).flatMap { _ in ["status json", "wait 0.05"] } + ["quit"],
      configuration: configuration)
    #expect(session.end() == 0)
    #expect(try session.lines().count { $0 == "* zoom 8.0" } == 1)
    return try session.statuses().map(\.zoom)
  }

  @Test("from 1 to 8 at three powers of two a second takes a second, evenly")
  func even() throws {
    let factors = try factors("zoom 8")
    #expect(factors.last == 8)
    let exponents = factors.map { log2($0) }
    let steps = zip(exponents, exponents.dropFirst()).map { $1 - $0 }
    // Between two replies there are 50 ms plus the console's delay, which is a whole number of 5 ms ticks.
    for step in steps.dropLast(steps.count - 15) { #expect(step > 0.14 && step < 0.25, "\(step)") }
  }

  @Test("an easing that begins gently is behind an even one in the first half, and ahead of it in the second")
  func eased() throws {
    let even = try factors("zoom 8")
    let eased = try factors("zoom 8", configuration: "[zoom]\neasing = sine-in-out\n")
    for (even, eased) in zip(even, eased) where even < 2.4 && even > 1.05 { #expect(eased < even) }
    for (even, eased) in zip(even, eased) where even > 3.2 && even < 7.5 { #expect(eased > even) }
    #expect(eased.last == 8)
  }

  @Test(
    "what is no factor or no rate is refused, and the factor stays",
    arguments: ["nan", "1e9", "4 0", "4 nan", "inf"])
  func refused(arguments: String) throws {
    let session = try Session(["zoom 3 now", "zoom \(arguments)", "wait 2", "zoom", "status json", "quit"])
    #expect(session.end() == 0)
    let lines = try session.linesWithoutStatus().filter { !$0.hasPrefix("* ") }
    #expect(lines.count { $0.hasPrefix("error: zoom expects ") } == 1)
    #expect(lines.contains("zoom 3.00"))
    #expect(try session.statuses().first?.zoom == 3)
  }

  @Test("a factor outside the range goes to the nearest within it, and the reply says so")
  func clamped() throws {
    let asked = ["17", "16.01 now", "999999999 now", "0.5", "-1 now", "16", "1 now"]
    let session = try Session(asked.flatMap { ["zoom \($0)", "wait 2", "status json"] } + ["quit"])
    #expect(session.end() == 0)
    #expect(try session.statuses().map(\.zoom) == [16, 16, 16, 1, 1, 16, 1])
    let told = try session.linesWithoutStatus().filter { $0.hasPrefix("zoom ") }
    let most = "zoom 16.00, the nearest within 1.00…16.00"
    let least = "zoom 1.00, the nearest within 1.00…16.00"
    #expect(told == [most, most, most, least, least])
  }

  @Test("if the configuration disables zoom, it is named as the reason")
  func off() throws {
    let session = try Session(["zoom 2", "zoom 1", "quit"], configuration: "[zoom]\nmaximum = 1\n")
    #expect(session.end() == 0)
    #expect(try session.lines().filter { $0.hasPrefix("error: ") } == ["error: set [zoom] maximum above 1 to zoom"])
  }

  @Test("the button steps, reverses on a double press, and glides while it is held")
  func button() throws {
    let session = try Session(
      [
        "press zoom", "wait 1", "status json", "press zoom", "wait 1", "status json", "press zoom", "press zoom",
        "wait 1",
        "press zoom", "wait 1", "status json", "press zoom", "press zoom", "wait 1", "press zoom 1100", "wait 2",
        "status json", "quit",
      ])
    #expect(session.end() == 0)
    let factors = try session.statuses().map(\.zoom)
    #expect(factors.prefix(3) == [2, 4, 2])
    // Held for 0.3 s beyond the 0.8 s that make a press long.
    #expect(abs(log2(factors[3] / 2) - 0.9) < 0.15, "\(factors[3])")
  }
}
