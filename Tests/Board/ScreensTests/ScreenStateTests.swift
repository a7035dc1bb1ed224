import Base
import TestSupport
import Testing

@testable import Screens

@Suite("A display that comes and goes")
struct ScreenStateTests {
  private static let second: UInt64 = 1_000_000_000

  @Test("It is looked for at once, and again every two seconds, and a fault is reported once")
  func reportsOnce() {
    var state = ScreenState()
    #expect(state == .looking(next: 0, told: nil))
    var told: [ScreenTrouble] = []
    for look in 0..<5 as Range<UInt64> {
      let now = look * 2 * Self.second
      if let trouble = state.handle(.lost(.absent), at: Instant(now)) { told.append(trouble) }
      #expect(state == .looking(next: Instant(now + 2 * Self.second), told: .absent))
    }
    #expect(told == [.absent])
  }

  @Test("A different fault is reported, and the same one again after the display was there")
  func reportsAgain() {
    var state = ScreenState()
    let events: [ScreenState.Event] = [
      .lost(.busy), .lost(.busy), .lost(.absent), .found, .lost(.unplugged), .lost(.unplugged), .found,
      .frameIsUnderway, .lost(.unplugged),
    ]
    let told = events.enumerated().map { state.handle($1, at: Instant(UInt64($0))) }
    #expect(told == [.busy, nil, .absent, nil, .unplugged, nil, nil, nil, .unplugged])
  }

  @Test("No frame is begun before the last one is shown, and the display is checked in between")
  func oneFrameAtATime() {
    var state = ScreenState()
    _ = state.handle(.found, at: 0)
    #expect(state == .ready(nextCheck: Instant(Self.second)))
    _ = state.handle(.frameIsUnderway, at: 5)
    #expect(state == .flipping(check: Instant(Self.second), deadline: Instant(2 * Self.second + 5)))
    _ = state.handle(.frameIsUnderway, at: 6)
    #expect(state == .flipping(check: Instant(Self.second), deadline: Instant(2 * Self.second + 5)))
    _ = state.handle(.frameIsShown, at: 7)
    #expect(state == .ready(nextCheck: Instant(Self.second)))
    _ = state.handle(.isThere, at: Instant(Self.second))
    #expect(state == .ready(nextCheck: Instant(2 * Self.second)))
  }

  @Test("Late events in any order are tolerated: a display that is lost is looked for", arguments: 0..<50)
  func anyOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var state = ScreenState()
    let events: [ScreenState.Event] = [
      .found, .frameIsUnderway, .frameIsShown, .isThere, .lost(.busy), .lost(.failed),
    ]
    for now in 0..<200 as Range<Instant> {
      let before = state
      let event = events.randomElement(using: &generator)!
      _ = state.handle(event, at: now)
      if case .lost(let trouble) = event {
        #expect(state == .looking(next: now + 2 * Self.second, told: trouble))
      } else if case .looking = before {
        #expect((state == before) == (event != .found))
      } else if case .looking = state {
        Issue.record("\(event) lost the display")
      }
    }
  }

  @Test("A missing card, a file that is no card, and a busy one are distinguished")
  func noCard() throws {
    #expect(throws: ScreenTrouble.absent) { _ = try Screen("/dev/dri/card99") }
    let folder = try TemporaryFolder()
    let file = try folder.write([1, 2, 3], as: "card")
    // Only a display card accepts the request to become its DRM master.
    #expect(throws: ScreenTrouble.noDisplayCard) { _ = try Screen(FixedText(file)) }
  }

  @Test("Every fault is one line that names the card and a remedy")
  func lines() {
    let troubles: [ScreenTrouble] = [
      .absent, .noPermission, .noDisplayCard, .busy, .unplugged, .noMode, .noBuffers, .failed,
    ]
    let lines = troubles.map { String($0.line("/dev/dri/card0")) }
    #expect(Set(lines).count == troubles.count)
    for line in lines {
      #expect(line.hasPrefix("display /dev/dri/card0 ") && line.contains(": ") && !line.contains("\n"))
    }
  }
}
