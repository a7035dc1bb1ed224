"""Prints COUNT random expressions, each with a tab and the result that Python's `decimal` has for it.

usage: decimal_expressions.py SEED COUNT

An expression is made as a tree, from which both its text and its value come: nothing here parses.
"""
import decimal
import random
import sys

CONTEXT = decimal.Context(
    prec=34, rounding=decimal.ROUND_HALF_EVEN, Emin=-6143, Emax=6144,
    traps=[decimal.DivisionByZero, decimal.Overflow, decimal.InvalidOperation])
HUNDRED = decimal.Decimal(100)


class Number:
    def __init__(self):
        style = random.random()
        if style < 0.4:
            text = str(random.randrange(10 ** random.randint(1, 6)))
        elif style < 0.8:
            digits = "".join(random.choice("0123456789") for _ in range(random.randint(1, 22)))
            point = random.randint(0, len(digits))
            text = digits[:point] + "." + digits[point:]
        elif style < 0.9:
            text = str(random.randrange(10 ** random.randint(30, 45)))
        elif style < 0.98:
            text = f"{random.randrange(1, 10 ** 9)}e{random.randint(-40, 40)}"
        else:
            exponent = random.choice([random.randint(-6400, 6400), random.randint(-6180, -6100)])
            text = f"{random.randrange(1, 10 ** 9)}.{random.randrange(10 ** 9)}E{exponent:+d}"
        self.plain = text
        if random.random() < 0.2 and text.isdigit():
            text = f"{int(text):,}"
        self.text = text

    def value(self):
        return CONTEXT.create_decimal(self.plain)


class Parentheses:
    def __init__(self, depth):
        self.inner = Sum(depth - 1)
        self.text = "(" + self.inner.text + random.choice(["", " "]) + ")"

    def value(self):
        return self.inner.value()


class Factor:
    """-primary%"""

    def __init__(self, depth):
        self.minuses = random.choice([0, 0, 0, 0, 0, 1, 2])
        self.percents = random.choice([0, 0, 0, 0, 0, 1])
        self.primary = Parentheses(depth) if depth > 0 and random.random() < 0.3 else Number()
        self.text = random.choice("-−") * self.minuses + self.primary.text + "%" * self.percents

    def value(self):
        value = self.primary.value()
        for _ in range(self.percents):
            value = CONTEXT.divide(value, HUNDRED)
        for _ in range(self.minuses):
            value = CONTEXT.minus(value)
        return value


class Product:
    def __init__(self, depth):
        self.factors = [Factor(depth)]
        self.signs = []
        self.text = self.factors[0].text
        while random.random() < 0.4:
            self.signs.append(random.choice("*×/÷"))
            self.factors.append(Factor(depth))
            space = random.choice(["", " "])
            self.text += space + self.signs[-1] + space + self.factors[-1].text

    def is_percentage(self):
        return not self.signs and self.factors[0].percents > 0

    def value(self):
        value = self.factors[0].value()
        for sign, factor in zip(self.signs, self.factors[1:]):
            operation = CONTEXT.multiply if sign in "*×" else CONTEXT.divide
            value = operation(value, factor.value())
        return value


class Sum:
    def __init__(self, depth):
        self.products = [Product(depth)]
        self.signs = []
        self.text = self.products[0].text
        while random.random() < 0.45:
            self.signs.append(random.choice("+-−"))
            self.products.append(Product(depth))
            space = random.choice(["", " "])
            self.text += space + self.signs[-1] + space + self.products[-1].text

    def value(self):
        value = self.products[0].value()
        for sign, product in zip(self.signs, self.products[1:]):
            right = product.value()
            if product.is_percentage():
                right = CONTEXT.multiply(value, right)
            value = CONTEXT.add(value, right) if sign == "+" else CONTEXT.subtract(value, right)
        return value


def exact(value):
    """Without zeros at the end: -12e-1."""
    negative, digits, exponent = value.as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    if not text:
        return "0e0"
    short = text.rstrip("0")
    return f"{'-' if negative else ''}{short}e{exponent + len(text) - len(short)}"


def result(expression):
    try:
        return exact(expression.value())
    except decimal.Overflow:
        return "overflow"
    except (decimal.DivisionByZero, decimal.InvalidOperation):
        return "division by zero"


def main():
    random.seed(int(sys.argv[1]))
    count = int(sys.argv[2])
    while count > 0:
        expression = Sum(random.randint(0, 4))
        if len(expression.text.encode()) <= 120:
            print(expression.text, result(expression), sep="\t")
            count -= 1


main()
