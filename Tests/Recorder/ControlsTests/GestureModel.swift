import Base
import Record

/// Computes the gestures of a whole sequence of readings from the contact's edges, with hindsight: a reference for the
/// recognizer, which has to decide as it goes.
struct GestureModel {
  struct Look {
    var timeNanoseconds: UInt64
    var isDown: Bool
  }

  struct Press {
    var began: UInt64
    var ended: UInt64
  }

  var timing = GestureTiming()
  var recognisesDouble: Bool

  /// - Parameter looks: must end with the button up for long enough to complete every gesture.
  func gestures(of looks: [Look]) -> [Gesture] {
    var gestures: [Gesture] = []
    var rest = presses(in: looks)[...]
    while let press = rest.popFirst() {
      gestures.append(.pressed(at: Instant(press.began)))
      if press.ended - press.began >= timing.longPressNanoseconds {
        gestures.append(.long(pressedAt: Instant(press.began)))
        gestures.append(.released(at: Instant(press.ended)))
      } else if recognisesDouble, let next = rest.first, next.began - press.ended < timing.doublePressNanoseconds {
        gestures.append(.pressed(at: Instant(next.began)))
        gestures.append(.double(pressedAt: Instant(press.began)))
        rest.removeFirst()
      } else {
        gestures.append(.short(pressedAt: Instant(press.began)))
      }
    }
    return gestures
  }

  private func presses(in looks: [Look]) -> [Press] {
    var presses: [Press] = []
    var isDown = false
    var began: UInt64 = 0
    for run in runs(of: looks) where run.isDown != isDown && run.last - run.first >= timing.stableNanoseconds {
      isDown = run.isDown
      if isDown { began = run.first } else { presses.append(Press(began: began, ended: run.first)) }
    }
    return presses
  }

  private func runs(of looks: [Look]) -> [(isDown: Bool, first: UInt64, last: UInt64)] {
    var runs: [(isDown: Bool, first: UInt64, last: UInt64)] = []
    for look in looks {
      if let current = runs.last, current.isDown == look.isDown {
        runs[runs.count - 1].last = look.timeNanoseconds
      } else {
        runs.append((look.isDown, look.timeNanoseconds, look.timeNanoseconds))
      }
    }
    return runs
  }
}
