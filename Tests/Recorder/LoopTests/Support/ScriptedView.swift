import Port

/// The worker's side of a ``ViewModel``.
@safe struct ScriptedView: View, ~Copyable {
  let model: ViewModel
  // Sound: the model never frees it.
  let memory: UnsafeMutableRawBufferPointer

  init(_ model: ViewModel, byteCount: Int) {
    self.model = model
    unsafe memory = model.map(byteCount: byteCount)
  }

  var isWanted: Bool { model.isWanted }

  mutating func start() throws(DeviceFailure) { try model.start() }

  mutating func stop() { model.isRunning = false }

  mutating func receive() -> ViewWord { model.isRunning ? model.say() : .nothing }
}
