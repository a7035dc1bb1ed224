import Media
import Text

extension Orientation: Choice {}
