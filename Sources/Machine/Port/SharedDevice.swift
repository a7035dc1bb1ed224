import Base
import Synchronization

/// A device with calls that take as long as a driver wants: opening, closing, settings. Its worker makes them.
package protocol SlowDevice: ~Copyable {
  /// What can be asked of it.
  associatedtype Order: BitwiseCopyable
  /// What comes of an order that was carried out.
  associatedtype Outcome: BitwiseCopyable

  /// Makes the calls of an order. Only on its worker's thread, and at boot.
  mutating func carryOut(_ order: Order) throws(DeviceFailure) -> Outcome
}

/// How an order went. As a `Result`, which is not bitwise copyable.
package enum DeviceResult<Outcome: BitwiseCopyable>: BitwiseCopyable {
  /// It was carried out.
  case done(Outcome)
  /// It was not.
  case failed(DeviceFailure)
}

/// What became of an order.
package struct DeviceAnswer<Device: SlowDevice & ~Copyable>: BitwiseCopyable {
  /// The order.
  package let order: Device.Order
  /// How it went.
  package let result: DeviceResult<Device.Outcome>
}

/// A device that belongs either to the loop, which reads it and never waits, or to a worker, which makes its slow
/// calls: the loop lends it with an order, and has it back with the answer.
@safe package struct SharedDevice<Device: SlowDevice & ~Copyable>: ~Copyable {
  fileprivate struct Place: ~Copyable {
    var device: Device
    var order: Device.Order?
    var answer: DeviceAnswer<Device>?
    let isLent = Atomic(false)

    init(_ device: consuming Device) { self.device = device }
  }

  // Safe: boot memory outlives every thread. All but `isLent` is touched by the worker while it is true and by the
  // loop while it is false, and each sets it with a release after its last touch.
  private let place: UnsafeMutablePointer<Place>
  private var bell = Doorbell.silent

  /// The device belongs to the loop.
  /// - Throws: when `memory` is used up.
  package init(_ device: consuming Device, in memory: inout BootMemory) throws(DeviceFailure) {
    guard let place = unsafe memory.place(Place(device)) else {
      throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0)
    }
    unsafe self.place = place
  }

  /// Whether the worker has the device, or is about to.
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

  /// Lends the device until the order is carried out. An answer that was not taken is lost.
  package func lend(_ order: Device.Order) {
    precondition(!isLent, "a device was lent twice")
    unsafe place.pointee.order = order
    unsafe place.pointee.answer = nil
    unsafe place.pointee.isLent.store(true, ordering: .releasing)
    bell.ring()
  }

  /// The answer to the last order, once; nil while the device is lent.
  package func takeAnswer() -> DeviceAnswer<Device>? {
    isLent ? nil : unsafe place.pointee.answer.take()
  }

  /// From now on lending wakes the worker. At boot.
  package mutating func wake(by bell: Doorbell) { self.bell = bell }

  /// For the worker's thread.
  package var workerEnd: LentDevice<Device> { unsafe LentDevice(place: place) }
}

/// The worker's end of a ``SharedDevice``.
@safe package struct LentDevice<Device: SlowDevice & ~Copyable>: ~Copyable {
  // Safe: see ``SharedDevice``.
  private let place: UnsafeMutablePointer<SharedDevice<Device>.Place>

  fileprivate init(place: UnsafeMutablePointer<SharedDevice<Device>.Place>) { unsafe self.place = place }

  /// Carries out the order, if there is one, and gives the device back.
  /// - Returns: whether there was one.
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

/// A device that the loop never reads: it belongs to its worker alone, which is asked by jobs.
package struct AskedDevice<Device: SlowDevice & ~Copyable>: ~Copyable {
  private var device: Device
  private var loop: JobWorkerEnd<Device.Order, DeviceResult<Device.Outcome>>

  /// The device belongs to who steps this.
  package init(
    _ device: consuming Device, _ loop: consuming JobWorkerEnd<Device.Order, DeviceResult<Device.Outcome>>
  ) {
    self.device = device
    self.loop = loop
  }

  /// Whether a request is not answered yet.
  package var isBusy: Bool { loop.requests.count > 0 }

  /// Answers the next request, once there is space for the reply.
  /// - Returns: whether it did.
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
