import Formats
import Text

extension AudioContainer: Choice {
  public var name: StaticString { fileExtension }
}
