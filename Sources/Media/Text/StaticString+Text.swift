extension StaticString {
  /// The bytes of a literal, which is there for the life of the process.
  public var utf8Bytes: Span<UInt8> {
    @_lifetime(immortal)
    get {
      // Sound: `utf8Start` points at a constant of the program.
      let bytes = unsafe Span(_unsafeStart: utf8Start, count: utf8CodeUnitCount)
      return unsafe _overrideLifetime(bytes, copying: ())
    }
  }
}
