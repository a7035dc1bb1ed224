import Encode
import Imaging
import Library
import Loop
import Playback
import Port
import Posix
import Preview
import Stills
import Takes
import Values

/// What has a thread of its own beside the loop, and does its work step by step.
protocol SteppedWorker: ~Copyable {
  /// How long the thread sleeps now, at most, when nobody wakes it.
  var patienceNanoseconds: UInt64 { get }

  /// Whether the program's end waits for the work that is left: for what is to be on the disk it does.
  static var outlastsLoop: Bool { get }

  /// Whether others have work that comes back: then the program's end waits although ``step()`` finds none.
  var isAwaitingOthers: Bool { get }

  /// Takes what the thread that works needs once, the last that it takes from the heap.
  mutating func prepareThread()

  /// Does the next bounded piece of work.
  /// - Returns: false when there was none.
  mutating func step() -> Bool
}

extension SteppedWorker where Self: ~Copyable {
  var isAwaitingOthers: Bool { false }
}

extension PictureWorker: SteppedWorker where Encoder: ~Copyable {
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

extension StorageWorker: SteppedWorker where Store: ~Copyable {
  var patienceNanoseconds: UInt64 { Limits.storageWakeMilliseconds * 1_000_000 }
  static var outlastsLoop: Bool { true }
  func prepareThread() {}
}

extension DecoderWorker: SteppedWorker where Process: ~Copyable {
  var patienceNanoseconds: UInt64 { isBusy ? Limits.exchangeMilliseconds * 1_000_000 : 1_000_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
  mutating func step() -> Bool { step(at: Instant.now) }
}

extension LibraryWorker: SteppedWorker where Folders: ~Copyable, Prober: ~Copyable {
  var patienceNanoseconds: UInt64 { isAnswering ? Limits.libraryMilliseconds * 1_000_000 : 250_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
}

extension ViewWorker: SteppedWorker where Process: ~Copyable {
  /// How late a line of the display's process is said, or its end noticed, at most.
  var patienceNanoseconds: UInt64 { 250_000_000 }
  static var outlastsLoop: Bool { false }
  func prepareThread() {}
  mutating func step() -> Bool {
    step(at: Instant.now)
    return false
  }
}

extension PreviewWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { 1_000_000_000 }
  static var outlastsLoop: Bool { false }
}
