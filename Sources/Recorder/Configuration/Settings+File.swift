import CINI
import Text

extension Settings {
  /// Reads a configuration file. Keys that it does not name keep their defaults.
  /// - Parameter mustExist: false for the place where a file may be: all defaults then where there is none.
  /// - Throws: the first thing that is wrong.
  public static func load(_ path: FixedText<256>, mustExist: Bool) throws(SettingsError) -> Settings {
    guard let stream = unsafe path.withCString({ unsafe ini_open($0) }) else {
      let errorNumber = ini_errno()
      if errorNumber == ENOENT, !mustExist { return Settings() }
      throw SettingsError(path: path, lineNumber: 0, problem: .unreadable(errorNumber: errorNumber))
    }
    defer { unsafe _ = fclose(stream) }
    return try unsafe SettingsReader.read(stream, path: path)
  }
}
