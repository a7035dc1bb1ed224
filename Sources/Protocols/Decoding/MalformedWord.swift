/// Bytes that are no order and no message.
struct MalformedWord: Error {}
