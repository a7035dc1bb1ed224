import Base

/// Decodes a terminal's bytes into keys (ECMA-48 control functions as xterm and the Linux console send them).
struct KeyDecoder {
  private enum State {
    case ground
    case escape
    /// After `ESC [`, with the first parameter so far; the others only report modifier keys.
    case controlSequence(parameter: UInt8, isFirst: Bool)
    /// After `ESC O`.
    case singleShift
  }

  private var state = State.ground
  private var utf8 = UTF8Decoder()
  private var followsCarriageReturn = false

  /// - Returns: the key that `byte` completes; nil if there is none, or it is unknown.
  mutating func next(_ byte: UInt8) -> Key? {
    switch state {
    case .ground:
      return ground(byte)
    case .escape:
      return escape(byte)
    case .controlSequence(let parameter, let isFirst):
      return controlSequence(byte, parameter: parameter, isFirst: isFirst)
    case .singleShift:
      state = .ground
      return Self.cursorKey(byte)
    }
  }

  /// Whether a key has begun and is incomplete.
  var isInsideKey: Bool {
    if case .ground = state { utf8.isInsideCharacter } else { true }
  }

  /// Takes a byte of any key, even an unknown one.
  /// - Returns: whether the key is complete.
  mutating func skip(_ byte: UInt8) -> Bool {
    let endsCarriageReturn = followsCarriageReturn && byte == 0x0A
    _ = next(byte)
    return !isInsideKey && !endsCarriageReturn
  }

  @inline(never)
  private mutating func ground(_ byte: UInt8) -> Key? {
    // Pasted text may end its lines with CR LF.
    let endsCarriageReturn = followsCarriageReturn && byte == 0x0A
    followsCarriageReturn = byte == 0x0D
    if endsCarriageReturn { return nil }
    guard let scalar = utf8.next(byte) else { return nil }
    guard scalar.value < 0x20 || scalar.value == 0x7F else {
      return scalar.isObeyed ? nil : .character(scalar)
    }
    if scalar.value == 0x1B { state = .escape }
    return Self.controlKey(UInt8(scalar.value))
  }

  private mutating func escape(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "["): state = .controlSequence(parameter: 0, isFirst: true)
    case UInt8(ascii: "O"): state = .singleShift
    case 0x1B: state = .escape
    default:
      state = .ground
      // Enter and ctrl-C count behind a lone escape key, too.
      if byte < 0x20 { return ground(byte) }
    }
    return nil
  }

  private mutating func controlSequence(_ byte: UInt8, parameter: UInt8, isFirst: Bool) -> Key? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9") where isFirst:
      state = .controlSequence(parameter: parameter &* 10 &+ (byte - UInt8(ascii: "0")), isFirst: true)
      return nil
    case 0x20...0x3F:
      state = .controlSequence(parameter: parameter, isFirst: false)
      return nil
    case UInt8(ascii: "[") where isFirst && parameter == 0:
      // The Linux console's F1 to F5: one more byte, which is no key.
      state = .escape
      return nil
    case UInt8(ascii: "~"):
      state = .ground
      return Self.editingKey(parameter)
    case 0x40...0x7E:
      state = .ground
      return Self.cursorKey(byte)
    default:
      // Noise on the line: the byte does not belong to a sequence.
      state = .ground
      return ground(byte)
    }
  }

  private static func controlKey(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x01: .home
    case 0x02: .left
    case 0x03: .clearLine
    case 0x04: .endOfInput
    case 0x05: .end
    case 0x06: .right
    case 0x07: .cancel
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x0B: .killToEnd
    case 0x0C: .redraw
    case 0x0E: .down
    case 0x10: .up
    case 0x12: .search
    case 0x15: .killToStart
    case 0x17: .killWord
    default: nil
    }
  }

  private static func cursorKey(_ finalByte: UInt8) -> Key? {
    switch finalByte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "H"): .home
    default: nil
    }
  }

  /// The keys that send `ESC [ number ~`.
  private static func editingKey(_ number: UInt8) -> Key? {
    switch number {
    case 1, 7: .home
    case 3: .delete
    case 4, 8: .end
    default: nil
    }
  }
}

/// A key of a terminal's keyboard.
enum Key: Equatable {
  case character(Unicode.Scalar)
  case enter, tab, endOfInput, redraw, search, cancel
  case left, right, up, down, home, end
  case backspace, delete, killToEnd, killToStart, killWord, clearLine
}
