"""The Hangul clock's table, made from phrases backwards.

Prints a line for each minute of the day: its number; what is said with 오전 and 오후, without them, and by the 24-hour clock;
and the places of the board that say the first and the second, comma-separated, in reading order. Fields are separated by
tabs. A phrase is looked for on the board from its last syllable back, each time the last place before the one found, so
that it is read in order; but 자정 and 정오 stand there as they are.
"""

BOARD = "오전후자정오" "열한두세네·" "다여섯덟일곱" "아홉시이삼사" "오십일이삼사" "오육칠팔구분"
NATIVE = "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열 열하나 열둘".split()
BEFORE_A_COUNTER = {"하나": "한", "둘": "두", "셋": "세", "넷": "네"}
NAMES_OF_DIGITS = "영일이삼사오육칠팔구"


def native(number):
    """하나 becomes 한 before a word that counts, also at the end of 열하나."""
    word = NATIVE[number - 1]
    for plain, short in BEFORE_A_COUNTER.items():
        if word.endswith(plain):
            word = word.removesuffix(plain) + short
    return word


def sino(number):
    """Digit by digit, with 십 between two of them, then without the 일 that is never said and a 영 at the end."""
    word = "십".join(NAMES_OF_DIGITS[int(digit)] for digit in str(number))
    return word.replace("일십", "십").replace("십영", "십")


def said(hour, minute, half):
    if (hour, minute) in ((0, 0), (12, 0)):
        return "정오" if hour else "자정"
    words = [half] if half else []
    words += [native((hour - 1) % 12 + 1), "시"]
    return " ".join(words + ([sino(minute), "분"] if minute else []))


def said24(hour, minute):
    if 1 <= hour <= 12 or hour == minute == 0:
        return said(hour, minute, "")
    return " ".join([sino(hour), "시"] + ([sino(minute), "분"] if minute else []))


def places(phrase):
    if len(phrase) == 2:
        return f"{BOARD.index(phrase)},{BOARD.index(phrase) + 1}"
    found = []
    end = len(BOARD)
    for syllable in reversed(phrase.replace(" ", "")):
        end = BOARD.rindex(syllable, 0, end)
        found.insert(0, end)
    return ",".join(map(str, found))


for hour in range(24):
    for minute in range(60):
        full = said(hour, minute, "오후" if hour >= 12 else "오전")
        bare = said(hour, minute, "")
        fields = (60 * hour + minute, full, bare, said24(hour, minute), places(full), places(bare))
        print(*fields, sep="\t")
