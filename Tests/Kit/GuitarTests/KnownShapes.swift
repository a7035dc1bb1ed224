/// Shapes that every guitarist knows: open chords, barre chords, and those of jazz accompaniment. Facts, written down
/// from memory of many books; nothing here was computed.
enum KnownShapes {
  /// A chord's name, and then its shapes from the lowest string to the highest.
  static let text = """
    C x32010 x35553 8-10-10-9-8-8; D xx0232 x57775 x54232; E 022100 x79997 x76454; F 133211 xx3211 x-8-10-10-10-8
    G 320003 320033 355433 x-10-12-12-12-10; A x02220 577655 x02225; B x24442 799877; Bb x13331 688766
    Eb x68886 xx1343; Ab 466544 xx6544; F# 244322 xx4322; C# x46664 x43121; Cm x35543 8-10-10-8-8-8
    Dm xx0231 x57765; Em 022000 x79987; Fm 133111 xx3111 x-8-10-10-9-8; Gm 355333 x-10-12-12-11-10
    Am x02210 577555; Bm x24432 799777; Bbm x13321; F#m 244222; C#m x46654; G#m 466444; Ebm xx1342 x68876
    C7 x32310 x35353 8-10-8-9-8-8; D7 xx0212 x57575 x5453x; E7 020100 022130 x79797; F7 131211 xx3545
    G7 320001 353433 3x343x; A7 x02020 x02223 575655; B7 x21202 x24242; Bb7 x13131 686766; Eb7 x68686; Ab7 464544
    F#7 242322; C#7 x46464 x4342x; Cmaj7 x32000 x35453; Dmaj7 xx0222 x57675; Emaj7 021100
    Fmaj7 xx3210 1x221x x-8-10-9-10-8; Gmaj7 320002 3x443x 354433; Amaj7 x02120 5x665x; Bmaj7 x24342; Bbmaj7 x13231
    Ebmaj7 x68786; Cm7 x35343 8x888x; Dm7 xx0211 x57565; Em7 020000 022030 x79787; Fm7 131111 1x111x
    Gm7 353333 3x333x; Am7 x02010 5x555x 575555; Bm7 x20202 x24232; F#m7 242222 2x222x; C#m7 x46454; Bbm7 x13121
    G#m7 464444; CmMaj7 x35443; AmMaj7 x02110; EmMaj7 021000; DmMaj7 xx0221; GmMaj7 354333; C6 x32210 8x798x
    D6 xx0202; E6 022120; G6 320000; A6 x02222; Am6 x02212 5x455x; Dm6 xx0201; Em6 022020; Cm6 x3124x; Gm6 3x233x
    C9 x32330 x3233x x32333; D9 x54555 x5455x; E9 020102; A9 x02423; G9 3x0201; F9 x8788x; Bb9 x1011x; Cm9 x3133x
    Dm9 x5355x; Em9 020002; Cmaj9 x3243x x30000; Dmaj9 x5465x; Gmaj9 3x0202; A13 5x5677; C13 x32335; E13 020122
    Cadd9 x32030 x32033; Gadd9 320203; Dadd9 x54252; Eadd9 024100; Asus2 x02200; Dsus2 xx0230; Bsus2 x24422
    Csus2 x30013; Esus2 024400; Bbsus2 x13311; Asus4 x02230; Dsus4 xx0233; Esus4 022200; Csus4 x33011; Gsus4 330013
    Fsus4 133311; Bsus4 x24452; A7sus4 x02030; D7sus4 xx0213; E7sus4 020200; G7sus4 353533; B7sus4 x24252
    C7sus4 x35363; Cdim x3454x; Bdim x2343x; Cdim7 x3424x; Bdim7 x2313x; Ddim7 xx0101; Adim7 5x454x; F#dim7 2x121x
    Edim7 xx2323; Bm7b5 x2323x; Cm7b5 x3434x; Am7b5 5x554x; F#m7b5 2x221x; Dm7b5 xx0111; Em7b5 xx2333; Gm7b5 3x332x
    Caug x3211x x32110; Eaug 032110; Aaug x03221; Daug xx0332; G7#5 3x344x; A7#5 5x566x; C5 x355xx
    A5 577xxx x022xx; E5 022xxx; G5 355xxx; D5 xx0235; C69 x32233; D69 x54455; E69 022122; C7b5 x3435x; G7b5 3x342x
    C7b9 x3232x; D7b9 x5454x; A7b9 x02323; E7b9 020131; B7b9 x2121x; C7#9 x3234x; E7#9 x7678x; D7#9 x5456x
    A7#9 x-12-11-12-13-x; G/B x20003; C/G 332010; C/E 032010; D/F# 200232 2x0232; Am/G 302210; A/C# x42220
    F/C x33211; C/B x22010; G/F# 2x0003; D/A x00232; E/G# 4x2400; Am/C x32210; F/A x03211; Em/D xx0000
    Am7/G 302010; C11 x33330; Adim x0121x
    """

  static let all: [(name: String, shape: String)] = text.split(whereSeparator: { $0 == ";" || $0 == "\n" }).flatMap {
    let words = $0.split(separator: " ").map(String.init)
    return words.dropFirst().map { (words[0], $0) }
  }
}
