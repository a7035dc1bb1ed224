/// Writes one JSON object (RFC 8259) on one line, member by member. What does not fit is cut off, and ``text`` is then
/// truncated.
package struct JSONWriter<let capacity: Int>: BitwiseCopyable {
  /// What has been written.
  package private(set) var text: FixedText<capacity> = "{"

  /// An object without members.
  package init() {}

  /// Begins a value of a member, or of a list where `key` is nil.
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

  /// Adds a whole number.
  package mutating func add(_ key: StaticString?, _ number: some FixedWidthInteger) {
    begin(key)
    text.append(integer: number)
  }

  /// Adds a number with so many digits after the point.
  package mutating func add(_ key: StaticString?, _ number: Double, decimals: Int) {
    begin(key)
    text.append(number, decimals: decimals)
  }

  /// Adds `true` or `false`.
  package mutating func add(_ key: StaticString?, _ isSo: Bool) {
    begin(key)
    text.append(isSo ? "true" : "false")
  }

  /// Adds a text, which may come from anywhere.
  package mutating func add(_ key: StaticString?, text value: Span<UInt8>) {
    begin(key)
    text.append("\"")
    text.append(jsonEscaped: value)
    text.append("\"")
  }

  /// Adds a name of ours.
  package mutating func add(_ key: StaticString?, name: StaticString) { add(key, text: name.utf8Bytes) }

  /// Begins an object inside of this one.
  package mutating func beginObject(_ key: StaticString? = nil) {
    begin(key)
    text.append("{")
  }

  /// Ends the object that was begun last; after the last of them the text is whole.
  package mutating func endObject() { text.append("}") }

  /// Begins a list.
  package mutating func beginList(_ key: StaticString) {
    begin(key)
    text.append("[")
  }

  /// Ends a list.
  package mutating func endList() { text.append("]") }

  /// Takes back what was added since there were so many bytes, also what did not fit.
  package mutating func takeBack(to byteCount: Int) {
    var whole = FixedText<capacity>()
    whole.append(bytes: text.bytes.extracting(first: byteCount))
    text = whole
  }
}
