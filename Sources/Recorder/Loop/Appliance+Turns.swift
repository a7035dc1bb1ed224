import Port
import Encode
import Imaging
import Library
import Playback
import Takes
import Viewing

extension Appliance where Machine: ~Copyable {
  /// Lets the encoders take what they need of the heap, where all take turns on the caller's thread.
  public mutating func prepareEncoders() {
    encoder.prepareThread()
    for index in lanes.indices where lanes[index] != nil { lanes[index]!.prepareThread() }
  }

  /// Between two ticks of a virtual clock: lets the workers do what there is to do, in the order that the seed decides.
  public mutating func takeTurns(order: inout TurnOrder) {
    while still.step() {}
    if order.isEncoderFirst() {
      encode(order: &order)
      while storage.step() {}
    } else {
      while storage.step() {}
      encode(order: &order)
    }
    while decoder.step(atNanoseconds: loop.machine.clock.monotonicNanoseconds) {}
    while library.step() {}
    view.step(atNanoseconds: loop.machine.clock.monotonicNanoseconds)
    while previewer.step() {}
  }

  /// After the last tick: lets the workers come to an end.
  public mutating func finishWork(order: inout TurnOrder) {
    encode(order: &order)
    while still.step() {}
    while storage.step() {}
  }

  /// Until all pictures are encoded: one step of the encoder or of a lane after the other.
  public mutating func encode(order: inout TurnOrder) {
    guard lanes[0] != nil else {
      while encoder.step() {}
      return
    }
    while encoder.isAwaitingEncoders || encoder.step() {
      let turn = Int(order.draw(below: UInt64(lanes.count + 1)))
      _ = turn < lanes.count ? lanes[turn]?.step() : encoder.step()
    }
    // Nobody waits for what is made for the live views.
    while lanes[0]?.step() == true {}
  }
}
