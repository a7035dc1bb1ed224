import Values
import Text

extension TagField: Choice {}
