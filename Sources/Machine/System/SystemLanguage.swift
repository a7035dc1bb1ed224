import Base
import CLinux

/// The language for messages that the environment asks for: by the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is
/// set and not empty (POSIX, Environment Variables).
package func systemLanguage() -> Language {
  Language(locale: environmentText("LC_ALL") ?? environmentText("LC_MESSAGES") ?? environmentText("LANG") ?? "")
}

/// What the terminal can draw, as `TERM`, `NO_COLOR` and the locale of characters say.
package func systemTerminalLooks() -> TerminalLooks {
  let name = environmentText("TERM") ?? ""
  let locale = environmentText("LC_ALL") ?? environmentText("LC_CTYPE") ?? environmentText("LANG") ?? ""
  return TerminalLooks(name: name.bytes, locale: locale.bytes, refusesColour: environmentText("NO_COLOR") != nil)
}

/// Nil for a variable that is not set or is empty.
private func environmentText(_ name: StaticString) -> FixedText<64>? {
  // Sound: a literal ends with a 0, and the value is copied before anything else can change it.
  let text = unsafe FixedText<64>(cString: getenv(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)))
  return text.isEmpty ? nil : text
}
