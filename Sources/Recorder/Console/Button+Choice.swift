import Port
import Text

extension Button: Choice {}
