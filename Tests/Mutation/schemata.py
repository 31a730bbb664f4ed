"""Finds changes of Swift source lines and writes many of them into one copy of it, each behind a number: with MUTANT=17 in the
environment change 17 is in force, without it none is. So one build serves all."""
import hashlib
import re

# Operators stand between spaces, so that generics and arrows stay. Operator, what it becomes, its precedence, what its operands are.
INFIX = [
    ("<", "<=", "Comparison", "Comparable"), ("<=", "<", "Comparison", "Comparable"), (">", ">=", "Comparison", "Comparable"), (">=", ">", "Comparison", "Comparable"),
    ("==", "!=", "Comparison", "Equatable"), ("!=", "==", "Comparison", "Equatable"), ("&&", "||", "LogicalConjunction", "Bool"), ("||", "&&", "LogicalDisjunction", "Bool"),
    ("+", "-", "Addition", "FixedWidthInteger"), ("-", "+", "Addition", "FixedWidthInteger"), ("|", "&", "Addition", "FixedWidthInteger"),
    ("*", "+", "Multiplication", "FixedWidthInteger"), ("/", "*", "Multiplication", "FixedWidthInteger"), ("&", "|", "Multiplication", "FixedWidthInteger"),
    ("<<", ">>", "BitwiseShift", "shift"), ("+=", "-=", "Assignment", "inout"), ("-=", "+=", "Assignment", "inout"), ("..<", "...", "RangeFormation", "range"),
]
CONDITION = re.compile(r"^(\s*(?:\} else )?(?:if|guard|while) )([^{]*?[^{ ])( else \{.*| \{.*)$")
RESULT = re.compile(r"^(\s+return )([^{?]*)$")
STATEMENT = re.compile(r"^(\s+)((?:_ = )?(?:unsafe )?[a-z][\w.\[\]?]*(?:\(.*\)| [-+&|^]?=[^=].*))$")
NUMBER = re.compile(r"(?<![\w.$])(0x[0-9A-Fa-f_]+|\d[\d_]*)(?![\w.]\w)(?!\w)")
# A mutant's own operator: the old one and its number in these.
DIGITS = "─━│┃┄┅┆┇┈┉"


class Mutant:
    def __init__(self, path, line, start, end, what, kind, *texts):
        self.path, self.line, self.start, self.end, self.what, self.kind, self.texts, self.number = path, line, start, end, what, kind, texts, 0
        self.code = self.place = self.name = ""

    def named(self, place, code, seen):
        """Gives it a name that stays while its line stays, wherever in the file that is. `seen`: how often each was met in the file."""
        self.place, self.code = place, code.strip()
        key = (place, self.code, self.what)
        seen[key] = seen.get(key, 0) + 1
        self.name = hashlib.sha256("|".join([*key, str(seen[key])]).encode()).hexdigest()[:8]
        return self

    def rewritten(self, code):
        before, old, after = code[:self.start], code[self.start:self.end], code[self.end:]
        n = self.number
        if self.kind == "infix":
            new = operator(self)
        elif self.kind == "either":
            new = f"mutant({n}, {self.texts[0]}, {self.texts[1]})"
        elif self.kind == "call":
            new = f"mutant{self.texts[0].capitalize()}({n}, "
        elif self.kind == "not":
            new = f"mutantNot({n}, {old})"
        elif self.kind == "suffix":
            new = f"{old}.mutantNot({n})"
        else:
            new = f"if !isMutant({n}) {{ {old} }}"
        return before + new + after


def operator(mutant):
    return mutant.texts[0] + "".join(DIGITS[int(digit)] for digit in str(mutant.number))


def named(path, place, text):
    """Every change of a file, named. `place`: the file's name in the names."""
    lines, seen = text.split("\n"), {}
    return [mutant.named(place, lines[mutant.line], seen) for mutant in mutants(path, text)]


def mutants(path, text):
    """Every change of a file."""
    for line, whole in enumerate(text.split("\n")):
        code = whole.split("//")[0].rstrip()
        if not code.strip() or code.strip().startswith(("import", "@", "case ", "infix")):
            continue
        quoted = [match.span() for match in re.finditer(r'"(?:[^"\\]|\\.)*"', code)]
        free = lambda match: not any(start <= match.start() < end for start, end in quoted)
        for old, new, _, _ in INFIX:
            spaced = re.escape(old) if old == "..<" else r"(?<= )" + re.escape(old) + r"(?= )"
            for match in filter(free, re.finditer(spaced, code)):
                if old != "..<" or code[match.start() - 1] not in "[( ":
                    yield Mutant(path, line, *match.span(), f"{old} -> {new}", "infix", old, new)
        for match in filter(free, NUMBER.finditer(code)):
            value = int(match.group(1).replace("_", ""), 0)
            yield Mutant(path, line, *match.span(), f"{match.group(1)} -> {value + 1}", "either", match.group(1), str(value + 1))
        for match in filter(free, re.finditer(r"\b(true|false)\b", code)):
            other = "false" if match.group(1) == "true" else "true"
            yield Mutant(path, line, *match.span(), f"{match.group(1)} -> {other}", "either", match.group(1), other)
        for match in filter(free, re.finditer(r"(?<![\w.])(min|max)\(", code)):
            yield Mutant(path, line, *match.span(), f"{match.group(1)} -> {'max' if match.group(1) == 'min' else 'min'}", "call", match.group(1))
        for match in filter(free, re.finditer(r"(?<!\\)\.(isEmpty|isAssembling|isMessage|isOpen)\b(?! =)", code)):
            yield Mutant(path, line, *match.span(), f"{match.group()} negated", "suffix")
        for pattern, what in ((CONDITION, "condition negated"), (RESULT, "result negated")):
            match = pattern.match(code)
            if match and "let " not in match.group(2) and not re.search(r"\b(case|nil|true|false)\b(?! [!=]=)", re.sub(r"[!=]= nil", "", match.group(2))):
                yield Mutant(path, line, *match.span(2), what, "not")
        if (match := STATEMENT.match(code)) and not code.endswith((",", "(", "{")):
            yield Mutant(path, line, *match.span(2), "statement removed", "statement")


def rewrite(text, chosen):
    """The text with all the chosen changes of it (at most one a line) behind their numbers."""
    lines = text.split("\n")
    for mutant in chosen:
        lines[mutant.line] = mutant.rewritten(lines[mutant.line])
    if chosen:
        lines[0] = "import Mutants; " + lines[0]  # lines keep their numbers
    return "\n".join(lines)


HEADER = """import Glibc

/// Which change is in force.
public let mutantNumber: Int = unsafe getenv("MUTANT").flatMap { unsafe Int(String(cString: $0)) } ?? 0
public func isMutant(_ number: Int) -> Bool { mutantNumber == number }
public func mutant<T>(_ number: Int, _ old: T, _ new: T) -> T { isMutant(number) ? new : old }
public func mutantNot(_ number: Int, _ value: Bool) -> Bool { isMutant(number) ? !value : value }
extension Bool { public func mutantNot(_ number: Int) -> Bool { isMutant(number) ? !self : self } }
public func mutantMin<T: Comparable>(_ number: Int, _ first: T, _ others: T...) -> T {
    others.reduce(first) { isMutant(number) ? max($0, $1) : min($0, $1) }
}
public func mutantMax<T: Comparable>(_ number: Int, _ first: T, _ others: T...) -> T {
    others.reduce(first) { isMutant(number) ? min($0, $1) : max($0, $1) }
}
"""


def module(chosen):
    """The source of the module that knows which change is in force, with every infix mutant's operator."""
    text = HEADER
    for mutant in chosen:
        if mutant.kind != "infix":
            continue
        old, new = mutant.texts
        _, _, precedence, operands = next(row for row in INFIX if row[0] == old)
        name, n = operator(mutant), mutant.number
        text += f"infix operator {name}: {precedence}Precedence\n"
        body = f"isMutant({n}) ? a {new} b : a {old} b"
        if operands == "Bool":
            text += f"public func {name}(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{ isMutant({n}) ? try a {new} b() : try a {old} b() }}\n"
        elif operands == "Equatable":
            text += f"public func {name}<T: Equatable>(a: T?, b: T?) -> Bool {{ {body} }}\n"
        elif operands == "Comparable":
            text += f"public func {name}<T: Comparable>(a: T, b: T) -> Bool {{ {body} }}\n"
        elif operands == "shift":
            text += f"public func {name}<T: FixedWidthInteger, S: BinaryInteger>(a: T, b: S) -> T {{ {body} }}\n"
        elif operands == "inout":
            text += f"public func {name}<T: FixedWidthInteger>(a: inout T, b: T) {{ if isMutant({n}) {{ a {new} b }} else {{ a {old} b }} }}\n"
        elif operands == "range":
            text += f"public func {name}<T: FixedWidthInteger>(a: T, b: T) -> Range<T> {{ isMutant({n}) ? a..<(b + 1) : a..<b }}\n"
        else:
            text += f"public func {name}<T: FixedWidthInteger>(a: T, b: T) -> T {{ {body} }}\n"
    return text
