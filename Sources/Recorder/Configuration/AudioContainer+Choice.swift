import Formats
import Text

extension AudioContainer: Choice {
  /// The word for it in the file.
  public var name: StaticString { fileExtension }
}
