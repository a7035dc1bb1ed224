import Base
import Machine
import Wire

/// A file whose frames are consecutive numbers.
package struct ScriptedFile {
  /// The number of its first frame.
  package var firstNumber: UInt32
  /// How many frames it has.
  package var frameCount: Int
  /// Why it cannot be opened; nil if it can.
  package var refusal: DecoderRefusal?
  /// The result of an extraction; its bytes are those of the process's memory.
  package var extracts = Extracted.nothing

  /// A file that can be opened, unless a refusal is given.
  package init(firstNumber: UInt32, frameCount: Int, refusal: DecoderRefusal? = nil) {
    self.firstNumber = firstNumber
    self.frameCount = frameCount
    self.refusal = refusal
  }
}

/// The worker's side of a ``DecoderModel``.
package struct ScriptedDecoder: DecoderDriver, ~Copyable {
  let model: DecoderModel

  /// The model's ring.
  package var ringMemory: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(model.ring) }
  /// As set in the model.
  package var isInStep: Bool { model.isInStep }
  /// Like the state of a real process whose end is noticed only at the next call.
  package private(set) var isRunning = false

  /// A handle to `model`.
  package init(_ model: DecoderModel) { self.model = model }

  /// Starts the model.
  package mutating func start() throws(DeviceFailure) {
    try model.start()
    isRunning = true
  }

  /// Ends the model's process.
  package mutating func stop() {
    model.crash()
    isRunning = false
  }

  /// Passes the position to the model.
  package mutating func tell(_ heard: HeardPosition) { model.heard.append(heard) }

  /// Passes the order to the model.
  package mutating func send(_ order: DecoderOrder) throws(DeviceFailure) { try follow(order, path: nil) }

  /// Passes the order to the model, if it has the file.
  package mutating func send(_ order: DecoderOrder, withFileAt path: borrowing FixedText<256>) throws(DeviceFailure) {
    let path = String(copy path)
    guard model.files[path] != nil else {
      throw DeviceFailure(
        device: .storage, kind: .absent, subject: "", problem: "cannot be opened", remedy: "look for it")
    }
    try follow(order, path: path)
  }

  private mutating func follow(_ order: DecoderOrder, path: String?) throws(DeviceFailure) {
    do throws(DeviceFailure) {
      try model.follow(order, path: path)
    } catch {
      isRunning = false
      throw error
    }
  }

  /// The model's next message.
  package mutating func receive(waitNanoseconds: UInt64) throws(DeviceFailure) -> DecoderMessage? {
    guard model.isRunning else {
      isRunning = false
      throw DecoderModel.gone
    }
    return model.messages.isEmpty ? nil : model.messages.removeFirst()
  }
}
