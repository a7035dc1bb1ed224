import Decoding

extension DecoderRefusal: Error {}
