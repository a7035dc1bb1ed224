import Media
import Text

extension MediaKind: Choice {}
