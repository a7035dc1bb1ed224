import Port
import Encode
import Imaging
import Library
import Playback
import Stills
import Takes

extension Appliance where Machine: ~Copyable {
  /// Between two ticks of a virtual clock: lets the workers do what there is to do, in the order that the seed decides.
  public mutating func takeTurns(order: inout TurnOrder) {
    while workers.still.step() {}
    if order.isEncoderFirst() {
      encode(order: &order)
      while workers.storage.step() {}
    } else {
      while workers.storage.step() {}
      encode(order: &order)
    }
    while workers.decoder.step(atNanoseconds: loop.machine.clock.monotonicNanoseconds) {}
    while workers.library.step() {}
    workers.view.step(atNanoseconds: loop.machine.clock.monotonicNanoseconds)
    while workers.preview.step() {}
  }

  /// After the last tick: lets the workers come to an end.
  public mutating func finishWork(order: inout TurnOrder) {
    encode(order: &order)
    while workers.still.step() {}
    while workers.storage.step() {}
  }

  /// Until all pictures are encoded: one step of the worker or of an encoder of its pool after the other.
  public mutating func encode(order: inout TurnOrder) {
    guard workers.encoders[0] != nil else {
      while workers.encoder.step() {}
      return
    }
    while workers.encoder.isAwaitingEncoders || workers.encoder.step() {
      let turn = Int(order.draw(below: UInt64(workers.encoders.count + 1)))
      _ = turn < workers.encoders.count ? workers.encoders[turn]?.step() : workers.encoder.step()
    }
    // Nobody waits for what is made for the live views.
    while workers.encoders[0]?.step() == true {}
  }
}
