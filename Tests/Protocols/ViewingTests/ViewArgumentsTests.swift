import Base
import TestSupport
import Testing
import Wire

@Suite struct ViewArgumentsTests {
  @Test(
    "What the recorder writes is what the program reads",
    arguments: [Framing.fit, .fill], [Mounting.builtIn, .standing])
  func roundTrip(framing: Framing, mounting: Mounting) {
    for (size, font) in [((0, 0), nil), ((640, 480), "/fonts/a.ttf"), ((65_500, 1), nil)]
      as [((Int, Int), FixedText<64>?)]
    {
      let written = ViewArguments(
        display: "/dev/dri/card0", framing: framing, largestPicture: PixelSize(width: size.0, height: size.1),
        mounting: mounting, font: font)
      #expect(read(words(of: written)) == written)
    }
  }

  @Test("The arguments are in the order of the usage")
  func order() {
    let arguments = ViewArguments(
      display: "/dev/dri/card1", framing: .fill, largestPicture: PixelSize(width: 640, height: 480),
      mounting: .standing)
    #expect(words(of: arguments) == ["/dev/dri/card1", "fill", "640", "480", "standing"])
  }

  @Test(
    "Missing, surplus and unknown arguments are refused",
    arguments: [
      "", "card0 fit 640 480", "card0 fit 640 480 built-in font more", "card0 stretch 640 480 built-in",
      "card0 fit -1 480 built-in", "card0 fit 640 65501 built-in", "card0 fit 640 x built-in", "card0 fit 640 480 up",
    ])
  func refuses(line: String) {
    #expect(read(line.split(separator: " ").map(String.init)) == nil)
  }

  private func words(of arguments: ViewArguments) -> [String] {
    var words: [String] = []
    arguments.write { words.append(String($0)) }
    return words
  }

  private func read(_ words: [String]) -> ViewArguments? {
    var rest = words[...]
    return ViewArguments(readingFrom: { rest.popFirst().map { FixedText($0) } })
  }
}
