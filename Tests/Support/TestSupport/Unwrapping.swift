/// What ``unwrapped(_:)`` throws.
public struct NothingThere: Error {
  /// There is nothing more to say of it.
  public init() {}
}

/// `#require` for values that cannot be copied, which it does not take.
public func unwrapped<Value: ~Copyable>(_ value: consuming Value?) throws -> Value {
  guard let value else { throw NothingThere() }
  return value
}
