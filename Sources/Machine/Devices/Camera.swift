import Base

/// The camera: one used through Video for Linux, or a simulated one.
package struct Camera: CameraDriver, ~Copyable {
  var driven: V4L2Camera?
  var simulated: SimCamera?

  /// The zoom of either camera.
  package enum Zooming: CameraZooming {
    case driven(V4L2Zooming)
    case simulated(SimZooming)

    package func set(_ factor: Double) throws(DeviceFailure) {
      switch self {
      case .driven(let zooming): try zooming.set(factor)
      case .simulated(let zooming): try zooming.set(factor)
      }
    }
  }

  @export(interface)
  package mutating func open(_ request: CameraRequest) throws(DeviceFailure) -> VideoFormat {
    if driven != nil { return try driven!.open(request) }
    return try simulated!.open(request)
  }

  package mutating func dequeue() throws(DeviceFailure) -> CameraFrame? {
    if driven != nil { return try driven!.dequeue() }
    return try simulated!.dequeue()
  }

  package mutating func requeue(bufferIndex: Int) throws(DeviceFailure) {
    if driven != nil {
      try driven!.requeue(bufferIndex: bufferIndex)
    } else {
      try simulated!.requeue(bufferIndex: bufferIndex)
    }
  }

  package mutating func close() {
    if driven != nil { driven!.close() } else { simulated!.close() }
  }

  package var bufferCount: Int { look({ $0.bufferCount }, { $0.bufferCount }) }
  package var spareBufferCount: Int { look({ $0.spareBufferCount }, { $0.spareBufferCount }) }
  package var maximumZoom: Double? { look({ $0.maximumZoom }, { $0.maximumZoom }) }
  package var zooming: Zooming? { look({ $0.zooming.map { .driven($0) } }, { $0.zooming.map { .simulated($0) } }) }

  package func bufferMemory(at index: Int) -> UnsafeRawBufferPointer {
    unsafe look({ unsafe $0.bufferMemory(at: index) }, { unsafe $0.bufferMemory(at: index) })
  }

  package func bufferDescriptor(at index: Int) -> Int32? {
    look({ $0.bufferDescriptor(at: index) }, { $0.bufferDescriptor(at: index) })
  }

  private func look<Result>(
    _ atDriven: (borrowing V4L2Camera) -> Result, _ atSimulated: (borrowing SimCamera) -> Result
  ) -> Result {
    switch driven {
    case .some(let camera): return atDriven(camera)
    case .none: break
    }
    switch simulated {
    case .some(let camera): return atSimulated(camera)
    case .none: preconditionFailure("a camera is driven or simulated")
    }
  }
}
