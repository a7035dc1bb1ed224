import Base
import CINI

/// Reads a stream through inih, line by line, until the first error; a file saved on the console is read on without its
/// invalid lines.
@safe struct SettingsReader {
  // Safe: the caller keeps the stream open until it has been read.
  private let stream: UnsafeMutablePointer<FILE>
  private var utf8 = UTF8Decoder()
  private var lineNumber = 0
  private var assignment = SettingAssignment()
  private var settings: Settings
  /// The settings that were left out, and the first of them; nil if none may be left out.
  private var leftOut: LeftOutSettings?
  private var totalByteCount = 0
  private var failure: (lineNumber: Int, problem: SettingsProblem)?
  /// Whether the line being read is left out.
  private var leavesOutLine = false
  /// Whether a line feed that comes next belongs to the same line end.
  private var followsCarriageReturn = false

  /// - Parameters:
  ///   - settings: the values of settings that the stream does not name.
  ///   - leftOut: an empty value, to read on without invalid settings; nil if they are errors.
  init(stream: UnsafeMutablePointer<FILE>, over settings: Settings = Settings(), leftOut: LeftOutSettings? = nil) {
    unsafe self.stream = stream
    self.settings = settings
    self.leftOut = leftOut
  }

  /// Applies the saved settings, unless the stream cannot be used at all.
  /// - Returns: what was left out.
  static func readSaved(_ stream: UnsafeMutablePointer<FILE>, into settings: inout Settings) -> LeftOutSettings {
    var reader = unsafe SettingsReader(stream: stream, over: settings, leftOut: LeftOutSettings())
    reader.parse()
    if let problem = reader.failure?.problem ?? reader.settings.disagreement {
      return LeftOutSettings(allFor: problem)
    }
    settings = reader.settings
    return reader.leftOut ?? LeftOutSettings()
  }

  /// Returns the settings, or throws the first problem and its location.
  static func read(_ stream: UnsafeMutablePointer<FILE>, path: FixedText<256>) throws(SettingsError) -> Settings {
    var reader = unsafe SettingsReader(stream: stream)
    reader.parse()
    reader.checkPins()
    reader.checkSections()
    guard let failure = reader.failure else { return reader.settings }
    throw SettingsError(path: path, lineNumber: failure.lineNumber, problem: failure.problem)
  }

  private mutating func parse() {
    // Safe: inih passes the pointer back to these two functions only, and only during this call.
    let result = unsafe withUnsafeMutablePointer(to: &self) { reader in
      unsafe ini_parse_stream(
        { line, capacity, reader in
          let isRead = unsafe reader!.assumingMemoryBound(to: SettingsReader.self).pointee
            .readLine(into: UnsafeMutableBufferPointer(start: line, count: Int(capacity)))
          return unsafe isRead ? line : nil
        }, reader,
        { reader, section, key, value in
          unsafe reader!.assumingMemoryBound(to: SettingsReader.self).pointee
            .take(section: FixedText(cString: section), key: FixedText(cString: key), value: FixedText(cString: value))
        }, reader)
    }
    noteSyntaxError(result: Int(result))
  }

  /// inih goes on after an error, so the first one counts, whether inih's or this reader's.
  private mutating func noteSyntaxError(result: Int) {
    if result > 0, leftOut != nil {
      leftOut?.add(.notASetting, lineNumber: result)
    } else if result > 0, failure.map({ result < $0.lineNumber }) ?? true {
      failure = (result, .notASetting)
    } else if result < 0, failure == nil {
      failure = (0, .unreadable(errorNumber: ENOMEM))
    }
  }

  private mutating func fail(_ problem: SettingsProblem) {
    if failure == nil { failure = (lineNumber, problem) }
  }

  /// What is wrong with the line, and only with it.
  private mutating func failLine(_ problem: SettingsProblem) {
    guard leftOut != nil else { return fail(problem) }
    if !leavesOutLine { leftOut?.add(problem, lineNumber: lineNumber) }
    leavesOutLine = true
  }

  /// inih calls this for each line, which may end with a line feed, a carriage return or both. Leading white space is
  /// removed, because inih would take it for the continuation of the previous value. So is a comment after a blank,
  /// because inih knows only one of its two signs there. A value may begin with #.
  /// - Returns: false at the end of the stream and after an error.
  private mutating func readLine(into line: UnsafeMutableBufferPointer<CChar>) -> Bool {
    guard failure == nil else { return false }
    lineNumber += 1
    leavesOutLine = false
    var byteCount = 0
    var isComment = false
    // The last byte that is no blank.
    var last: UInt8 = 0
    while let byte = nextByte() {
      checkSize()
      checkText(byte)
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      if isComment || byteCount == 0 && byte.isBlank { continue }
      let mayBegin = byte == UInt8(ascii: ";") || byte == UInt8(ascii: "#") && last != UInt8(ascii: "=")
      if mayBegin, byteCount > 0, unsafe UInt8(truncatingIfNeeded: line[byteCount - 1]).isBlank {
        isComment = true
        continue
      }
      if !byte.isBlank { last = byte }
      let largestByteCount = line.count - 1  // A 0 follows them.
      if byteCount == largestByteCount { failLine(.lineTooLong(largestByteCount: largestByteCount)) }
      guard failure == nil else { return false }
      if leavesOutLine { continue }
      unsafe line[byteCount] = CChar(bitPattern: byte)
      byteCount += 1
    }
    unsafe line[byteCount] = 0
    let isSection = checkSection(unsafe Span(_unsafeElements: UnsafeBufferPointer(rebasing: line[..<byteCount])))
    // What follows an invalid section must not get into the one before it.
    if leavesOutLine { unsafe Self.put(isSection ? "[]" : "", into: line) }
    let isAtEnd = unsafe feof(stream) != 0
    return failure == nil && (byteCount > 0 || !isAtEnd)
  }

  private static func put(_ text: StaticString, into line: UnsafeMutableBufferPointer<CChar>) {
    for index in text.utf8Bytes.indices { unsafe line[index] = CChar(bitPattern: text.utf8Bytes[index]) }
    unsafe line[text.utf8Bytes.count] = 0
  }

  /// Checks the text that inih ignores, after the bracket that closes a section's name.
  /// - Returns: whether the line begins a section.
  private mutating func checkSection(_ line: Span<CChar>) -> Bool {
    func byte(_ index: Int) -> UInt8 { index < line.count ? UInt8(truncatingIfNeeded: line[index]) : 0 }
    var index = 0
    // Skip a byte order mark before the first line.
    while byte(index) >= 0x80 { index += 1 }
    guard byte(index) == UInt8(ascii: "[") else { return false }
    while byte(index) != 0, byte(index) != UInt8(ascii: "]") { index += 1 }
    if byte(index) == 0 { failLine(.notASetting) }
    index += 1
    while byte(index).isBlank { index += 1 }
    switch byte(index) {
    case 0, UInt8(ascii: "#"), UInt8(ascii: ";"): break
    default: failLine(.notAlone)
    }
    return true
  }

  private mutating func checkSize() {
    totalByteCount += 1
    guard leftOut != nil, totalByteCount > LeftOutSettings.largestByteCount else { return }
    fail(.tooLarge(largestByteCount: LeftOutSettings.largestByteCount))
  }

  private mutating func checkText(_ byte: UInt8) {
    let isControl = byte < UInt8(ascii: " ") && !byte.isBlank && byte != UInt8(ascii: "\n") || byte == 0x7F
    let breaksOff = utf8.isInsideCharacter && !byte.isUTF8Continuation
    let isInvalid = utf8.next(byte) == UTF8Decoder.replacement
    if isControl || breaksOff || isInvalid { failLine(.notText) }
  }

  private mutating func nextByte() -> UInt8? {
    var byte = unsafe getc(stream)
    if followsCarriageReturn, byte == Int32(UInt8(ascii: "\n")) { byte = unsafe getc(stream) }
    followsCarriageReturn = byte == Int32(UInt8(ascii: "\r"))
    guard byte == EOF else { return UInt8(truncatingIfNeeded: byte) }
    if unsafe ferror(stream) != 0 {
      lineNumber = 0
      fail(.unreadable(errorNumber: ini_errno()))
    } else if utf8.isInsideCharacter {
      fail(.notText)
    }
    return nil
  }

  /// inih calls this for each setting.
  /// - Returns: 1, or 0 for an invalid setting.
  private mutating func take(section: FixedText<64>, key: FixedText<64>, value: FixedText<200>) -> Int32 {
    guard failure == nil else { return 0 }
    do throws(SettingsProblem) {
      try assignment.set(key, of: section, to: value, in: &settings, lineNumber: lineNumber)
    } catch {
      failLine(error)
    }
    return failure == nil ? 1 : 0
  }

  private mutating func checkPins() {
    guard failure == nil, let (first, second) = settings.sharedPins else { return }
    lineNumber = max(assignment.lineNumber(of: first), assignment.lineNumber(of: second))
    fail(.sharedPin(first, second))
  }

  private mutating func checkSections() {
    guard failure == nil else { return }
    lineNumber = 0
    if let problem = settings.contradiction { fail(problem) }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }
}

extension Settings {
  /// Reads a configuration file. Keys that it does not name keep their defaults.
  /// - Parameter mustExist: false if the file is optional: without it all settings are defaults.
  /// - Throws: the first problem.
  @export(interface)
  package static func load(_ path: FixedText<256>, mustExist: Bool) throws(SettingsError) -> Settings {
    // Traps here, even without a file, if the table has no room for a setting.
    _ = SettingsTable(Settings())
    guard let stream = unsafe path.withCString({ unsafe ini_open($0) }) else {
      let errorNumber = ini_errno()
      if errorNumber == ENOENT, !mustExist { return Settings() }
      throw SettingsError(path: path, lineNumber: 0, problem: .unreadable(errorNumber: errorNumber))
    }
    defer { unsafe _ = fclose(stream) }
    return try unsafe SettingsReader.read(stream, path: path)
  }

  /// Applies the settings that were saved on the console. An invalid line is left out, and so is the whole file if it
  /// cannot be read.
  /// - Parameter descriptor: an open file, which stays open.
  /// - Returns: what was left out.
  @export(interface)
  package mutating func readSaved(_ descriptor: Int32) -> LeftOutSettings {
    guard let stream = unsafe ini_open_descriptor(descriptor) else {
      return LeftOutSettings(allFor: .unreadable(errorNumber: ini_errno()))
    }
    defer { unsafe _ = fclose(stream) }
    return unsafe SettingsReader.readSaved(stream, into: &self)
  }
}
