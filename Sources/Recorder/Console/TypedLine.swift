import Text

/// A line as it was typed. A path of 256 bytes fits into it together with its command.
typealias TypedLine = FixedText<512>
