import Values
import Text

extension MediaKind: Choice {}
