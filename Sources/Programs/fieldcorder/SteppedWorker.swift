import App
import Base
import Catalog
import Kit
import Machine
import Media
import Playback
import Record

/// A worker with a thread of its own, which does its work in steps.
protocol SteppedWorker: ~Copyable {
  /// The longest time that the thread sleeps without being woken.
  var patienceNanoseconds: UInt64 { get }

  /// Whether the program waits at exit for the remaining work: yes if the work is to be on the disk.
  static var outlastsLoop: Bool { get }

  /// Whether others still hold its work: the program then waits at exit although ``step()`` finds none.
  var isAwaitingOthers: Bool { get }

  /// Allocates what the worker needs, on its own thread: its last use of the heap.
  mutating func prepareThread()

  /// Does the next bounded piece of work.
  /// - Returns: false when there was none.
  mutating func step() -> Bool
}

extension SteppedWorker where Self: ~Copyable {
  var isAwaitingOthers: Bool { false }
}

extension PictureWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { 100_000_000 }
  static var outlastsLoop: Bool { true }
  var isAwaitingOthers: Bool { isAwaitingEncoders }
}

extension PoolEncoder: SteppedWorker {
  var patienceNanoseconds: UInt64 { 1_000_000_000 }
  static var outlastsLoop: Bool { true }
}

extension StillWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { 1_000_000_000 }
  static var outlastsLoop: Bool { true }
}

extension StorageWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { Limits.storageWakeMilliseconds * 1_000_000 }
  static var outlastsLoop: Bool { true }
  func prepareThread() {}
}

extension DecoderWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { isBusy ? Limits.exchangeMilliseconds * 1_000_000 : 1_000_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
  mutating func step() -> Bool { step(at: Instant.now) }
}

extension LibraryWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { isAnswering ? Limits.libraryMilliseconds * 1_000_000 : 250_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
}

extension HousekeepingWorker: SteppedWorker {
  /// While it has something to do: how late it notices that it may go on.
  var patienceNanoseconds: UInt64 { isBusy ? Limits.exchangeMilliseconds * 1_000_000 : 1_000_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
  mutating func step() -> Bool { step(at: Instant.now) }
}

extension ViewWorker: SteppedWorker {
  /// The longest delay of a line from the display's process, and of noticing its end.
  var patienceNanoseconds: UInt64 { 250_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
  mutating func step() -> Bool {
    step(at: Instant.now)
    return false
  }
}

extension LentDevice: SteppedWorker where Device: ~Copyable {
  var patienceNanoseconds: UInt64 { 1_000_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
}

extension CameraWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { 1_000_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
}

extension DeviceWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { 1_000_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
}

extension TunerWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { 1_000_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
}

extension PreviewWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { 1_000_000_000 }
  static var outlastsLoop: Bool { false }
}
