import Machine
import Testing

@Suite struct TerminalLooksTests {
  @Test(
    "A terminal draws what its name, the locale and NO_COLOR say; one without a name is a VT100",
    arguments: [
      ("", "C.UTF-8", false, TerminalLooks()), ("vt100", "C.UTF-8", false, TerminalLooks(isOneColoured: true)),
      ("dumb", "C.UTF-8", false, TerminalLooks(isDumb: true, isOneColoured: true)),
      ("xterm-256color", "ko_KR.UTF-8", false, TerminalLooks(hasColour: true, hasBlocks: true)),
      ("xterm", "C.utf8", true, TerminalLooks(hasBlocks: true, refusesColour: true)),
      ("screen", "C", false, TerminalLooks(hasColour: true)),
      ("linux", "", false, TerminalLooks(hasColour: true)),
      ("linux", "UTF-8", false, TerminalLooks(hasColour: true, hasBlocks: true)),
    ])
  func looks(name: String, locale: String, refusesColour: Bool, looks: TerminalLooks) {
    let (name, locale) = (Array(name.utf8), Array(locale.utf8))
    #expect(TerminalLooks(name: name.span, locale: locale.span, refusesColour: refusesColour) == looks)
  }
}
