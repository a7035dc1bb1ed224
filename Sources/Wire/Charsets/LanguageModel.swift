/// The non-ASCII letters of a language, most frequent first, and their cost: roughly the bits that a character takes.
/// The chosen charset is the one in which a text takes the fewest.
struct LanguageModel {
  enum Script {
    /// ASCII letters and some others.
    case latin
    /// An alphabet without ASCII letters.
    case alphabet
    /// Thousands of characters of two bytes.
    case wide
  }

  let charset: TagCharset
  let script: Script
  /// The minimum cost of a text in this language: old files of Western Europe are the most common.
  let handicap: Double
  /// Spaces lower the rank of the letters after them.
  let letters: StaticString
  var isKorean: Bool { charset == .korean }
  var isJapanese: Bool { charset == .japanese || charset == .japaneseUnix }

  private init(_ charset: TagCharset, _ script: Script, _ handicap: Double, _ letters: StaticString) {
    self.charset = charset
    self.script = script
    self.handicap = handicap
    self.letters = letters
  }

  static var count: Int { 37 }

  init(number: Int) {
    switch number {
    case 0: self.init(.western, .latin, 0, Letters.french)
    case 1: self.init(.western, .latin, 0, Letters.german)
    case 2: self.init(.western, .latin, 0, Letters.spanish)
    case 3: self.init(.western, .latin, 0, Letters.portuguese)
    case 4: self.init(.western, .latin, 0, Letters.italian)
    case 5: self.init(.western, .latin, 0, Letters.swedish)
    case 6: self.init(.western, .latin, 0, Letters.danish)
    case 7: self.init(.western, .latin, 0.5, Letters.icelandic)
    case 8: self.init(.central, .latin, 5, Letters.czech)
    case 9: self.init(.central, .latin, 5, Letters.polish)
    case 10: self.init(.central, .latin, 5, Letters.hungarian)
    case 11: self.init(.central, .latin, 5, Letters.croatian)
    case 12: self.init(.central, .latin, 6, Letters.romanian)
    case 13: self.init(.turkish, .latin, 2.5, Letters.turkish)
    case 14: self.init(.greek, .alphabet, 4, Letters.greek)
    case 15: self.init(.cyrillic, .alphabet, 3, Letters.russian)
    case 16: self.init(.cyrillicUnix, .alphabet, 3.5, Letters.russian)
    case 17: self.init(.cyrillicDOS, .alphabet, 7, Letters.russian)
    case 18: self.init(.hebrew, .alphabet, 5, Letters.hebrew)
    case 19: self.init(.arabic, .alphabet, 4, Letters.arabic)
    case 20: self.init(.thai, .alphabet, 3, Letters.thai)
    case 21: self.init(.korean, .wide, 3, Letters.korean)
    case 22: self.init(.japanese, .wide, 3, Letters.japanese)
    case 23: self.init(.japaneseUnix, .wide, 4, Letters.japanese)
    case 24: self.init(.simplified, .wide, 3.5, Letters.chinese)
    case 25: self.init(.traditional, .wide, 3.5, Letters.traditionalChinese)
    case 26: self.init(.western, .latin, 0, Letters.catalan)
    case 27: self.init(.western, .latin, 2, Letters.faroese)
    case 28: self.init(.western, .latin, 4, Letters.western)
    case 29: self.init(.centralUnix, .latin, 6, Letters.czech)
    case 30: self.init(.centralUnix, .latin, 6, Letters.polish)
    case 31: self.init(.centralUnix, .latin, 6, Letters.hungarian)
    case 32: self.init(.baltic, .latin, 8, Letters.lithuanian)
    case 33: self.init(.baltic, .latin, 8, Letters.latvian)
    case 34: self.init(.westernDOS, .latin, 8, Letters.western)
    case 35: self.init(.westernMac, .latin, 8, Letters.western)
    default: self.init(.westernEuro, .latin, 4, Letters.french)
    }
  }
}

/// Chosen by hand: all letters of alphabets; for others the characters of common words, names and songs.
private enum Letters {
  static let french: StaticString = "éèàêçôâîûùëïæü           œ"
  static let german: StaticString = "üäößé"
  static let spanish: StaticString = "óíáéñúü"
  static let portuguese: StaticString = "ãçáéíóêúâàôü     õ"
  static let italian: StaticString = "àèéìòù"
  static let swedish: StaticString = "åäöé"
  static let danish: StaticString = "øåæéôòó"
  static let catalan: StaticString = "óéíàçèòúüï·"
  static let faroese: StaticString = "áðíóýæøú"
  static let western: StaticString = "éáóíñüöäçàèåøâêîôúûùìòëïãõðþýæßÿœšžª"
  static let icelandic: StaticString = "áóðíöæéúýþ"
  static let czech: StaticString = "áíéěřčýžšůúóňťďäľôĺŕ"
  static let polish: StaticString = "łęąóśżćńź"
  static let hungarian: StaticString = "áéóöőíüúű"
  static let croatian: StaticString = "čšžćđ"
  static let romanian: StaticString = "ăîşâţ"
  static let lithuanian: StaticString = "ėšųžįčąūę"
  static let latvian: StaticString = "āīēšūņžļčķģ"
  static let turkish: StaticString = "ışüğöçâİ"
  static let greek: StaticString = "αοιετνσηυρπκμςλίόάγέήδθύωχφβώξζψϊϋ"
  static let russian: StaticString = "оеаинтсрвлкмпудяыьзбгйчюхжшцщфэъёіїєґў"
  static let hebrew: StaticString = "יוהלאמרתבשנעדקחםפכטגצסןזךץף"
  static let arabic: StaticString = "اليمنوربتعدسفحكقةجشهأصطخىضغذثإزءئظؤآ"
  static let thai: StaticString = "า่นร้เกอมล์็วยทดงสตปพคะชขหแบจไผโซถใฉณธญภฟฝศษฐัิีุูึืำๆ"
  static let korean: StaticString = """
    이다는에고가의을한지리아로사그나하도어기를서자은들인있해니시정마만스대일라수전보여주었오부게안성상장구우제조소\
    동신원비으모연너랑없내날무미러진거세바운야치영할때와면된음말물간과생경습화김유난람별당개호국문실름방선재교회입\
    위감드등심중작요노속명강레트발달눈꽃봄밤꿈길임박최윤송석현준민철희숙애추억울행복녕않네렇데좋분불단반살결외순같\
    못또더겨빛빈첫잊잠청춘파피터디코카키타토포프크티벌벚엔딩빙북친황홍승혜태백두산섬광늘땅새벽침저녁녀절녹색검붉푸\
    른흰금초록월목끝처럼악밴합창곡락잘죠까군양씨질칠팔천알몰버베메며려력령례료루류르린림립따떠땐뜨띠란래량련쁜싶싫\
    였워웃웨육율융익읽잃잔잡쟁적점접
    """
  static let japanese: StaticString = """
    のいにたしをはなてとるがっれでかあもうこらすりくきそどつけまよんだみえせろわちおさぶじやほめげずばへびぎょゃゅ\
    ごねひべざぐむふぬンスルトイーラリクアドッレジシタテロマフサプオムデニカウエコナキミセソチツブバビボポハパメモ\
    ヤユヨワガギグゲゴザズゼダノヒヘホネヌヴャュョァィゥェォ・～、。一日人大年出本中子見国言上分生手自行者二間事思\
    時気会十家女三前的方入小地合後目長場代私下立部学物月田何来彼話体動社知理山内同心発高実作当新世今書度明五戦力名\
    金性対意用男主通関文屋感郎業定政持道外取所現最化四先民身不口川東相多法全聞情野考向平成開教経以信北海愛恋夢夜空\
    花桜君僕涙風雪星雨春夏秋冬歌声音楽島町京都酔林檎椎宇浜崎米津玄師残酷天使駆軽峡景色約束光影永遠笑泣別離友達白黒\
    赤青紅蒼翼羽鳥猫森石井松木村橋吉佐藤鈴渡辺伊斎加坂谷原沢
    """
  static let chinese: StaticString = """
    的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然\
    家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把\
    机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果\
    加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔\
    更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展\
    马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共\
    确传师观清今切院让识候带导争运爱歌梦风花雪夜星亮雨春秋冬夏泪伤红蓝黑恋恨吻甜蜜青瓷童香稻杰周丽君邓菲豆迎欢京截\
    棍双良若英刘乎千崔健陈林李黄吴赵孙朱胡郭罗郑梁谢宋唐韩冯曹彭曾肖田董潘袁蔡蒋余杜叶魏苏吕丁沈姚卢傅钟姜谭廖范汪\
    陆石戴贾韦邱侯邹熊孟秦江阎薛尹段雷龙黎史陶贺顾毛郝龚邵钱严覃武莫孔汤祝福祖摇滚乐曲唱朋友孤单寂寞温柔幸快笑哭离\
    忆永远飞翔鸟阳桥船河湖岛城街站台灯火烟酒茶
    """
  static let traditionalChinese: StaticString = """
    的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然\
    家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把\
    機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果\
    加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾\
    更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展\
    馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共\
    確傳師觀清今切院讓識候帶導爭運愛歌夢風花雪夜星亮雨春秋冬夏淚傷紅藍黑戀恨吻甜蜜青瓷童香稻傑倫周麗君鄧菲豆迎歡京\
    截棍雙良若英劉乎千里七友闊曲陳林李黃吳趙孫朱胡郭羅鄭梁謝宋唐韓馮曹彭曾蕭田董潘袁蔡蔣余于杜葉魏蘇呂丁沈姚盧傅鍾\
    姜崔譚廖范汪陸石戴賈韋邱侯鄒熊孟秦江薛尹段雷龍黎史陶賀顧毛郝龔邵錢嚴武莫孔湯祝福祖搖滾樂唱朋孤單寂寞溫柔幸快笑\
    哭離憶永遠飛翔鳥陽橋船河湖島城街站台燈火煙酒茶
    """
}
