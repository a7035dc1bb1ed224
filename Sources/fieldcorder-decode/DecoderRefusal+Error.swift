import Decoding

extension DecoderRefusal: @retroactive Error {}
