import Base

/// The characters in the stand-in picture for a lost camera, five pixels wide and seven high.
package enum Glyph {
  package static var width: Int { 5 }
  package static var height: Int { 7 }
  /// Distance from one character to the next.
  package static var advance: Int { 6 }

  /// Whether a character has ink at a pixel; an unknown character is drawn as a box.
  package static func hasInk(_ character: UInt8, column: Int, row: Int) -> Bool {
    drawing(of: character).utf8Bytes[row * (width + 1) + column] == UInt8(ascii: "#")
  }

  /// Seven rows separated by spaces, with `#` for ink.
  static func drawing(of character: UInt8) -> StaticString {
    switch character {
    case UInt8(ascii: "0"): ".###. #...# #..## #.#.# ##..# #...# .###."
    case UInt8(ascii: "1"): "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###."
    case UInt8(ascii: "2"): ".###. #...# ....# ...#. ..#.. .#... #####"
    case UInt8(ascii: "3"): "##### ...#. ..#.. ...#. ....# #...# .###."
    case UInt8(ascii: "4"): "...#. ..##. .#.#. #..#. ##### ...#. ...#."
    case UInt8(ascii: "5"): "##### #.... ####. ....# ....# #...# .###."
    case UInt8(ascii: "6"): "..##. .#... #.... ####. #...# #...# .###."
    case UInt8(ascii: "7"): "##### ....# ...#. ..#.. .#... .#... .#..."
    case UInt8(ascii: "8"): ".###. #...# #...# .###. #...# #...# .###."
    case UInt8(ascii: "9"): ".###. #...# #...# .#### ....# ...#. .##.."
    case UInt8(ascii: "A"): ".###. #...# #...# ##### #...# #...# #...#"
    case UInt8(ascii: "B"): "####. #...# #...# ####. #...# #...# ####."
    case UInt8(ascii: "C"): ".###. #...# #.... #.... #.... #...# .###."
    case UInt8(ascii: "D"): "###.. #..#. #...# #...# #...# #..#. ###.."
    case UInt8(ascii: "E"): "##### #.... #.... ####. #.... #.... #####"
    case UInt8(ascii: "F"): "##### #.... #.... ####. #.... #.... #...."
    case UInt8(ascii: "G"): ".###. #...# #.... #.### #...# #...# .####"
    case UInt8(ascii: "H"): "#...# #...# #...# ##### #...# #...# #...#"
    case UInt8(ascii: "I"): ".###. ..#.. ..#.. ..#.. ..#.. ..#.. .###."
    case UInt8(ascii: "J"): "..### ...#. ...#. ...#. ...#. #..#. .##.."
    case UInt8(ascii: "K"): "#...# #..#. #.#.. ##... #.#.. #..#. #...#"
    case UInt8(ascii: "L"): "#.... #.... #.... #.... #.... #.... #####"
    case UInt8(ascii: "M"): "#...# ##.## #.#.# #.#.# #...# #...# #...#"
    case UInt8(ascii: "N"): "#...# #...# ##..# #.#.# #..## #...# #...#"
    case UInt8(ascii: "O"): ".###. #...# #...# #...# #...# #...# .###."
    case UInt8(ascii: "P"): "####. #...# #...# ####. #.... #.... #...."
    case UInt8(ascii: "Q"): ".###. #...# #...# #...# #.#.# #..#. .##.#"
    case UInt8(ascii: "R"): "####. #...# #...# ####. #.#.. #..#. #...#"
    case UInt8(ascii: "S"): ".#### #.... #.... .###. ....# ....# ####."
    case UInt8(ascii: "T"): "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#.."
    case UInt8(ascii: "U"): "#...# #...# #...# #...# #...# #...# .###."
    case UInt8(ascii: "V"): "#...# #...# #...# #...# #...# .#.#. ..#.."
    case UInt8(ascii: "W"): "#...# #...# #...# #.#.# #.#.# #.#.# .#.#."
    case UInt8(ascii: "X"): "#...# #...# .#.#. ..#.. .#.#. #...# #...#"
    case UInt8(ascii: "Y"): "#...# #...# #...# .#.#. ..#.. ..#.. ..#.."
    case UInt8(ascii: "Z"): "##### ....# ...#. ..#.. .#... #.... #####"
    case UInt8(ascii: "x"): "..... ..... #...# .#.#. ..#.. .#.#. #...#"
    case UInt8(ascii: " "): "..... ..... ..... ..... ..... ..... ....."
    case UInt8(ascii: "."): "..... ..... ..... ..... ..... .##.. .##.."
    case UInt8(ascii: ":"): "..... .##.. .##.. ..... .##.. .##.. ....."
    case UInt8(ascii: "-"): "..... ..... ..... ##### ..... ..... ....."
    default: "##### #...# #...# #...# #...# #...# #####"
    }
  }
}
