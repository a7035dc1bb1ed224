import Board
import Text

extension Button: Choice {}
