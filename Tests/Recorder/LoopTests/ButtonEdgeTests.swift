import Base
import Configuration
import Console
import Machine
import Record
import TestSupport
import Testing

@testable import App

/// Lines that report their edges, read by a loop that is late.
private struct EdgeButtons: ButtonsDriver, ~Copyable {
  var edges: [ButtonEdge] = []
  var levels = ButtonSet()
  var tellsEdges: Bool { true }

  mutating func open() throws(DeviceFailure) {}
  mutating func read(at now: Instant) throws(DeviceFailure) -> ButtonSet { levels }
  mutating func nextEdge() throws(DeviceFailure) -> ButtonEdge? { edges.isEmpty ? nil : edges.removeFirst() }
  mutating func inject(_ button: Button, from: Instant, to: Instant) {}
}

@Suite struct ButtonEdgeTests {
  /// In nanoseconds.
  private let millisecond: UInt64 = 1_000_000

  /// The gestures that a panel recognizes from edges at these instants, in milliseconds.
  private func gestures(_ edges: [ButtonEdge], readAt reads: [UInt64]) throws -> [Gesture] {
    var memory = leakedBootMemory()
    var buttons = try SharedDevice(EdgeButtons(), in: &memory)
    var console = try unwrapped(ConsoleSession(isTerminal: false, in: &memory))
    var panel = ControlPanel(settings: Settings())
    var gestures: [Gesture] = []
    var shown = 0
    for read in reads {
      let now = Instant(read * millisecond)
      while shown < edges.count, edges[shown].instant <= now {
        buttons.device.edges.append(edges[shown])
        buttons.device.levels[edges[shown].button] = edges[shown].isDown
        shown += 1
      }
      panel.step(&buttons, &console, at: now)
      if let gesture = panel.gesture(of: .record, at: now) { gestures.append(gesture) }
    }
    return gestures
  }

  private func edge(_ isDown: Bool, _ microseconds: UInt64) -> ButtonEdge {
    ButtonEdge(.record, isDown: isDown, at: Instant(microseconds * 1000))
  }

  @Test("a press that came and went while the loop was held up is served, from its contact on")
  func lateLoop() throws {
    let edges = [edge(true, 103_217), edge(false, 128_300)]
    let told = try gestures(edges, readAt: [100, 300, 305, 310, 330, 340])
    let contact = Instant(103_217_000)
    #expect(told == [.pressed(at: contact), .short(pressedAt: contact)])
  }

  @Test("two presses between two looks are two")
  func twoPresses() throws {
    let edges = [edge(true, 10_000), edge(false, 40_000), edge(true, 90_000), edge(false, 130_000)]
    let told = try gestures(edges, readAt: [5] + Array(200...300))
    #expect(told.count { if case .short = $0 { true } else { false } } == 2)
  }

  @Test("a disturbance that is shorter than the debouncing is no press", arguments: [1, 7, 19] as [UInt64])
  func disturbance(milliseconds: UInt64) throws {
    let edges = [edge(true, 50_000), edge(false, 50_000 + milliseconds * 1000)]
    #expect(try gestures(edges, readAt: [40, 200, 205, 210]).isEmpty)
  }

  @Test("bounces count as one press, however they fall between the looks", arguments: 1...30 as ClosedRange<UInt64>)
  func bounces(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var edges: [ButtonEdge] = []
    var instant: UInt64 = 100_000
    for isDown in [true, false] {
      for bounce in 0..<UInt64.random(in: 0...4, using: &generator) * 2 + 1 {
        edges.append(edge(isDown == (bounce % 2 == 0), instant))
        instant += UInt64.random(in: 50...1_500, using: &generator)
      }
      instant += UInt64.random(in: 25_000...60_000, using: &generator)
    }
    var reads: [UInt64] = [1]
    while reads.last! < 600 { reads.append(reads.last! + UInt64.random(in: 1...90, using: &generator)) }
    let told = try gestures(edges, readAt: reads + Array(601...650))
    #expect(told.count == 2, "\(told)")
  }
}
