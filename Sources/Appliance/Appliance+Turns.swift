import Board
import Imaging
import Library
import Playback
import Takes

extension Appliance where Machine: ~Copyable {
  /// Between two ticks of a virtual clock: lets both workers do what there is to do, in the order that the seed decides.
  public mutating func takeTurns(order: inout TurnOrder) {
    if order.isEncoderFirst() {
      while encoder.step() {}
      while storage.step() {}
    } else {
      while storage.step() {}
      while encoder.step() {}
    }
    while decoder.step(atNanoseconds: loop.machine.clock.monotonicNanoseconds) {}
    while library.step() {}
    view.step(atNanoseconds: loop.machine.clock.monotonicNanoseconds)
  }

  /// After the last tick: lets the workers come to an end.
  public mutating func finishWork() {
    while encoder.step() {}
    while storage.step() {}
  }
}
