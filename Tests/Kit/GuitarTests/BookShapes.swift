/// How chord books begin with a chord: each shape is the first one of that name in one of ten public chord tables. It
/// has the name's notes with its root as the lowest, and is listed here if at least two of the tables begin with it.
///
/// Facts (a name, six frets), taken from: tombatossals/chords-db (lib/guitar.json), szaza/guitar-chords-db-json,
/// ChordPro/chordpro (lib/ChordPro/res/config/guitar.json), LilyPond (ly/predefined-guitar-fretboards.ly and
/// predefined-guitar-ninth-fretboards.ly), MinMax25/QBStrum (presets/default.qbs), subhojit510/guitar-pro
/// (clients/src/data/chordData.js), and four short tables: those of a song site, a song viewer, a French theory page
/// and a Korean lesson. Nothing here was computed.
enum BookShapes {
  /// A chord's name, and then the shapes from the lowest string to the highest.
  static let text = """
    C x32010; C# x43121 x46664; D xx0232; Eb xx1343 x68886 x65343; E 022100; F 133211; F# 244322 21xx22; G 320003
    Ab 466544 43111x; A x02220; Bb x13331; B x24442 x21x02; Cm x35543 x31013; C#m x46654 x4212x; Dm xx0231
    Ebm x68876 xx1342; Em 022000; Fm 133111; F#m 244222 20x222; Gm 355333 310033 3x0333; Abm 466444; Am x02210
    Bbm x13321; Bm x24432; C7 x32310; C#7 x46464 x4342x; D7 xx0212; Eb7 xx1323 xx1023 x68686; E7 020100
    F7 131211 101x11; F#7 242322 212x20 xx4320; G7 320001; Ab7 464544; A7 x02020; Bb7 x13131; B7 x21202
    Cmaj7 x32000; C#maj7 x43111 x46564; Dmaj7 xx0222; Ebmaj7 xx1333 x68786; Emaj7 021100 022444 02110x
    Fmaj7 xx3210 132211 102210; F#maj7 243322 2133x1 2x332x xx4321; Gmaj7 320002 354433 xx5432; Abmaj7 465544 4x554x
    Amaj7 x02120; Bbmaj7 x13231 x1323x; Bmaj7 x24342 x21302 x2434x; Cm7 x35343 8x888x
    C#m7 x46454 9x999x x42424 x42100; Dm7 xx0211 10-x-10-10-10-x; Ebm7 xx1322 11-x-11-11-11-x x68676
    Em7 020000 022030 0x000x; Fm7 131111 1x111x; F#m7 202220 242222 2x222x; Gm7 353333 3x333x
    Abm7 xxx102 464444 4x444x 4x4444; Am7 x02010 x02213; Bbm7 x13121; Bm7 x20202 x24232 7x777x; DmMaj7 xx0221
    EbmMaj7 xx1332; EmMaj7 021000; FmMaj7 132111; AmMaj7 x02110; BbmMaj7 x13221; BmMaj7 x20302; C6 x32210 x35555
    C#6 x4332x x46666; D6 xx0202; Eb6 xx1013 xx1313; E6 022120; F6 100211 1x3231 1x323x; G6 320000
    Ab6 431111 4x656x; A6 x02222; Bb6 x13333; B6 x24444 x2110x; Cm6 x31213 x3x243; C#m6 x42324 9-11-11-9-11-9 x4x354
    Dm6 xx0201; Ebm6 xx1312; Em6 022020; Fm6 1x0111 133131; F#m6 2x1222 20122x; Gm6 3x2333 310030
    Abm6 xxx101 4x344x 4x3444; Am6 x02212; Bbm6 x13021 x13x23 6x5666; Bm6 x20102 7x6777; C9 x32330 x32333
    C#9 x43444 x4344x; D9 x54555 x5455x; Eb9 xx1021 x65666; E9 020102 020132; F9 131213 101011 xx3243
    F#9 242324 21212x; Ab9 43434x 464546; A9 54545x 542000 575657 x02423; Bb9 x10111 686768; B9 x21222 x2122x
    Cm9 x31333 x3133x; C#m9 x42444 x4244x; Ebm9 x64666 x6466x; Em9 020002 075777; Fm9 131113 1x1113
    F#m9 202120 202224; Bm9 x20222; Cmaj9 x3243x x30000; C#maj9 x4354x x41111; Emaj9 021102 x7687x; Fmaj9 102010
    F#maj9 213121 2131xx; Bmaj9 x2132x; F#11 212100; Cadd9 x32030 x32033; C#add9 x43x44 x43141 x4364x
    Dadd9 x54x55 x54252; Eadd9 022102 024100; Fadd9 xx3213 103011; F#add9 21x122 xx4324; Gadd9 320203 300203
    Aadd9 x02420 54x455; Bbadd9 x10311 x10x11; Badd9 x21x22 x21422; Csus2 x30013 x30033 x3001x; C#sus2 x46644
    Dsus2 xx0230; Ebsus2 xx1341; Esus2 024400 022x02 xx2452; Gsus2 300033 3x0233 300233; Absus2 411144 4xx344
    Asus2 x02200; Bbsus2 x13311; Bsus2 x24422; Csus4 x33011 8-10-10-10-8-8
    C#sus4 x44674 9-11-11-11-9-9 x46674 x44122; Dsus4 xx0233; Ebsus4 xx1344 x68896; Esus4 022200 002200
    Fsus4 113311 133311 xx3311; F#sus4 224422 xx4677 xx4422 244422; Gsus4 330013 330033 3x0013; Absus4 446644 466644
    Asus4 x02230 x00230; Bbsus4 x11341 x1334x x13341; Bsus4 x24452 x24400 x22x02 x2445x x22452; C7sus4 x33311 x3331x
    D7sus4 xx0213 xx0013; Eb7sus4 xx1324 x66644; E7sus4 020200 000200; F7sus4 131311 111311; F#7sus4 242422 222x00
    G7sus4 330011 33303x 353533; A7sus4 x02030 x00030; Bb7sus4 x13141 x11141; B7sus4 x22200 x22202
    Cdim x3454x x31x12; C#dim x4565x x42x23; Ddim xx0131 xx01x1 x5676x; Ebdim x6787x xx1242 xx12x2
    Edim 0120xx xx23x3 0120x0 x7898x; F#dim 2342xx 20x21x 2342x2 xx421x 2xx21x
    Abdim 4564xx 42x43x 4564x4 xx643x 4xx43x; Adim x0121x; Bbdim x1232x x12320; Bdim x2343x x20x01
    C#dim7 x45353 x4535x; Ddim7 xx0101; Ebdim7 xx1212; Edim7 012020 xx2323; Fdim7 1x0101 123131
    F#dim7 201212 2x121x 2x1212; Gdim7 312020 31x320 3x2323; Abdim7 456464 4x3434; Adim7 x01212; Bbdim7 x12020
    Bdim7 x20101 x23131 x2313x; Cm7b5 x3434x x31312; C#m7b5 x4545x x45457; Dm7b5 xx0111; Ebm7b5 xx1222
    Em7b5 012333 010333; F#m7b5 202210 2x2210; Am7b5 x0101x x01213; Bbm7b5 x1212x x12120; Bm7b5 x2323x x20201
    Caug x3211x x32110; C#aug x4322x x432x1; Daug xx0332; Ebaug xx1003 x6544x; Eaug 032110 xx2110 0321xx
    Faug xx3221 10322x 143221; F#aug xx4332 21033x 210332; Gaug 321003 32100x xx5887; Aaug x03221
    Baug x2100x x21003; C5 x355xx 8-10-x-x-x-x x355x3; C#5 x466xx 9-11-x-x-x-x x466x4
    D5 xx023x x577xx 10-12-x-x-x-x; Eb5 x688xx 11-13-x-x-x-x x688x6 xx134x; E5 022xxx 12-14-x-x-x-x 022x00 022400
    F5 133xxx 13xxxx 133x11; F#5 244xxx 24xxxx x-9-11-11-x-9; G5 355xxx 35xxxx 3x0033 xxx033
    Ab5 466xxx 46xxxx 466x44 xxx144; A5 x022xx 57xxxx x022x0; Bb5 x133xx 68xxxx x133x1; B5 x244xx 79xxxx x2xx02
    D7b5 xx0112; Eb7b5 xx1223; E7b5 010130 xx2334 0x2334; F7b5 101201 xx3445 10120x; G7b5 3x342x 343463 3434xx
    A7b5 x0102x x01223 x01023; Bb7b5 x1213x x10130; B7b5 x21201 x2324x; C7#5 x323x4 8x8998
    D7#5 xx0312 10-x-10-11-11-10; Eb7#5 xx1423 11-x-11-12-12-11; E7#5 030110 0x0110 032130; F7#5 10122x 1x1221
    G7#5 321001 3x3443; A7#5 x03021 5x5665; B7#5 x21203 7x7887; C#7b9 x43434 x4343x; Eb7b9 xx1020
    E7b9 020101 xx2131; F#7b9 212020 xx4353; A7b9 x02323 5453xx; Bb7b9 x10101 x1010x; B7b9 x21212 x2121x
    C7#9 x3234x; C#7#9 x4345x x43420; D7#9 x5456x; Eb7#9 xx1022; Bb7#9 x1012x x10121; B7#9 x2123x
    """

  static let all: [(name: String, shapes: [String])] = text.split(whereSeparator: { $0 == ";" || $0 == "\n" }).map {
    let words = $0.split(separator: " ").map(String.init)
    return (words[0], Array(words.dropFirst()))
  }
}
