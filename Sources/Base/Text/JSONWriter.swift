/// Writes one JSON object (RFC 8259) on one line, member by member. Output that does not fit is cut off, and ``text``
/// is then truncated.
package struct JSONWriter<let capacity: Int>: BitwiseCopyable {
  /// The JSON written so far.
  package private(set) var text: FixedText<capacity> = "{"

  /// An object without members.
  package init() {}

  /// Begins the value of a member, or of a list element if `key` is nil.
  @inline(never)
  private mutating func begin(_ key: StaticString?) {
    let last = text.bytes[text.byteCount - 1]
    if last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { text.append(",") }
    guard let key else { return }
    text.append("\"")
    text.append(key)
    text.append("\":")
  }

  /// Adds `null`.
  package mutating func addNull(_ key: StaticString?) {
    begin(key)
    text.append("null")
  }

  package mutating func add(_ key: StaticString?, _ number: some FixedWidthInteger) {
    begin(key)
    text.append(integer: number)
  }

  /// Adds a number with `decimals` digits after the point.
  package mutating func add(_ key: StaticString?, _ number: Double, decimals: Int) {
    begin(key)
    text.append(number, decimals: decimals)
  }

  /// Adds `true` or `false`.
  package mutating func add(_ key: StaticString?, _ isSo: Bool) {
    begin(key)
    text.append(isSo ? "true" : "false")
  }

  /// Adds a text from any source, escaped.
  package mutating func add(_ key: StaticString?, text value: Span<UInt8>) {
    begin(key)
    text.append("\"")
    text.append(jsonEscaped: value)
    text.append("\"")
  }

  /// Adds one of the program's own names.
  package mutating func add(_ key: StaticString?, name: StaticString) { add(key, text: name.utf8Bytes) }

  /// Begins an object inside this one.
  package mutating func beginObject(_ key: StaticString? = nil) {
    begin(key)
    text.append("{")
  }

  /// Ends the object that was begun last; after the outermost one the text is complete.
  package mutating func endObject() { text.append("}") }

  package mutating func beginList(_ key: StaticString) {
    begin(key)
    text.append("[")
  }

  package mutating func endList() { text.append("]") }

  /// Discards what was added after the first `byteCount` bytes, including what did not fit.
  package mutating func takeBack(to byteCount: Int) {
    var whole = FixedText<capacity>()
    whole.append(bytes: text.bytes.extracting(first: byteCount))
    text = whole
  }
}
