import Media
import Text

extension TagField: Choice {}
