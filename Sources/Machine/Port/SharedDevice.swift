import Base
import Synchronization

/// A device with calls that take as long as the driver likes: open, close, settings. Its worker makes them.
package protocol SlowDevice: ~Copyable {
  /// A request to the device.
  associatedtype Order: BitwiseCopyable
  /// The result of an order that was carried out.
  associatedtype Outcome: BitwiseCopyable

  /// Makes an order's calls. Called only on the worker's thread, and at boot.
  mutating func carryOut(_ order: Order) throws(DeviceFailure) -> Outcome
}

/// The result of an order: a `Result` that is bitwise copyable.
package enum DeviceResult<Outcome: BitwiseCopyable>: BitwiseCopyable {
  /// The order was carried out.
  case done(Outcome)
  /// The order was not carried out.
  case failed(DeviceFailure)
}

package struct DeviceAnswer<Device: SlowDevice & ~Copyable>: BitwiseCopyable {
  package let order: Device.Order
  package let result: DeviceResult<Device.Outcome>
}

/// A device that belongs either to the loop, which reads it and never blocks, or to a worker, which makes its slow
/// calls. The loop lends the device with an order and gets it back with the answer.
@safe package struct SharedDevice<Device: SlowDevice & ~Copyable>: ~Copyable {
  fileprivate struct Place: ~Copyable {
    var device: Device
    var order: Device.Order?
    var answer: DeviceAnswer<Device>?
    let isLent = Atomic(false)

    init(_ device: consuming Device) { self.device = device }
  }

  // Safe: boot memory outlives every thread. The worker touches everything but `isLent` only while it is true, the loop
  // only while it is false, and each sets it with a release after its last access.
  private let place: UnsafeMutablePointer<Place>
  private var bell = Doorbell.silent

  /// The device belongs to the loop at first.
  /// - Throws: if `memory` is used up.
  package init(_ device: consuming Device, in memory: inout BootMemory) throws(DeviceFailure) {
    guard let place = unsafe memory.place(Place(device)) else {
      throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0)
    }
    unsafe self.place = place
  }

  /// Whether the worker has the device or is about to take it.
  package var isLent: Bool { unsafe place.pointee.isLent.load(ordering: .acquiring) }

  /// The device, while it is not lent.
  package var device: Device {
    _read {
      precondition(!isLent, "a device was used that its worker has")
      yield unsafe place.pointee.device
    }
    nonmutating _modify {
      precondition(!isLent, "a device was used that its worker has")
      yield unsafe &place.pointee.device
    }
  }

  /// Lends the device until the order is carried out. Discards an answer that was not taken.
  package func lend(_ order: Device.Order) {
    precondition(!isLent, "a device was lent twice")
    unsafe place.pointee.order = order
    unsafe place.pointee.answer = nil
    unsafe place.pointee.isLent.store(true, ordering: .releasing)
    bell.ring()
  }

  /// Takes the answer to the last order, once; nil while the device is lent.
  package func takeAnswer() -> DeviceAnswer<Device>? {
    isLent ? nil : unsafe place.pointee.answer.take()
  }

  /// Makes lending wake the worker from now on. Called at boot.
  package mutating func wake(by bell: Doorbell) { self.bell = bell }

  /// The end for the worker's thread.
  package var workerEnd: LentDevice<Device> { unsafe LentDevice(place: place) }
}

/// The worker's end of a ``SharedDevice``.
@safe package struct LentDevice<Device: SlowDevice & ~Copyable>: ~Copyable {
  // Safe: see ``SharedDevice``.
  private let place: UnsafeMutablePointer<SharedDevice<Device>.Place>

  fileprivate init(place: UnsafeMutablePointer<SharedDevice<Device>.Place>) { unsafe self.place = place }

  /// Carries out the order, if there is one, and returns the device.
  /// - Returns: whether there was an order.
  package mutating func step() -> Bool {
    guard unsafe place.pointee.isLent.load(ordering: .acquiring), let order = unsafe place.pointee.order.take() else {
      return false
    }
    let result = unsafe place.pointee.device.result(of: order)
    unsafe place.pointee.answer = DeviceAnswer(order: order, result: result)
    unsafe place.pointee.isLent.store(false, ordering: .releasing)
    return true
  }
}

/// A device that the loop never reads: it belongs to its worker alone, which gets its orders as jobs.
package struct AskedDevice<Device: SlowDevice & ~Copyable>: ~Copyable {
  private var device: Device
  private var loop: JobWorkerEnd<Device.Order, DeviceResult<Device.Outcome>>

  /// The device belongs to the thread that calls ``step()``.
  package init(_ device: consuming Device, _ loop: consuming JobWorkerEnd<Device.Order, DeviceResult<Device.Outcome>>) {
    self.device = device
    self.loop = loop
  }

  /// Whether a request is still unanswered.
  package var isBusy: Bool { loop.requests.count > 0 }

  /// Answers the next request, once there is space for the reply.
  /// - Returns: whether it answered one.
  package mutating func step() -> Bool {
    guard !loop.answers.isFull, let request = loop.requests.peek() else { return false }
    _ = loop.answers.push(Ticketed(ticket: request.ticket, value: device.result(of: request.value)))
    _ = loop.requests.pop()
    return true
  }
}

extension SlowDevice where Self: ~Copyable {
  fileprivate mutating func result(of order: Order) -> DeviceResult<Outcome> {
    do throws(DeviceFailure) { return .done(try carryOut(order)) } catch { return .failed(error) }
  }
}
