# SPDX-License-Identifier: Apache-2.0
"""Mutants of C files. Each changes one place in the body of one function:

    comparison    < <= > >= to its neighbour and to its opposite; == and != to each other
    sign          + and -, += and -=; a unary minus is removed
    off-by-one    an integer or the bound of a for loop, one more or one less
    dropped call  "f(...);" is removed; "status = f(...);" becomes "status = PERP_OK;"
    logic         && and || to each other

Not mutated: comments, strings, preprocessor lines, headers, everything outside functions (tables),
declarations of arrays, static data, assertions, and calls that only release memory. Functions are
found by the layout of `make format`: their braces stand in the first column."""
import collections
import hashlib
import re

OPERATORS = {
    "comparison": {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
                   "==": ["!="], "!=": ["=="]},
    "sign": {"+": ["-"], "-": ["+"], "+=": ["-="], "-=": ["+="]},
    "off-by-one": {},
    "dropped call": {},
    "logic": {"&&": ["||"], "||": ["&&"]},
}
# What is replaced by blanks of the same length, in two passes.
TEXTS = r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*"""
DECLARATIONS = (r"\b(?:static_|_Static_)?assert\b[^;]*;|\benum\s*\{[^}]*\}"
                r"|\bstatic\s[^;()]*(?:=[^;]*)?;"
                r"|(?<=[;{}])\s*(?!return|case)(?:const\s+)?\w+\s+\**\w+\[[^=;]*")
FUNCTION = r"^(?!\{)[^\n]*?(\w+)\([^;{}]*\)\s*\n\{(.*?)^\}"
TOKEN = r"\.?\d(?:[eEpP][+-]|[\w.])*|\w+|->|\+\+|--|<<=?|>>=?|[-+*/%&|^=!<>]=|&&|\|\||\S"
CALL = r"(?<=[;{}])\s*((?:\(void\))?|(?:perp_status )?(?:status = ))(\w+)(\()"
RELEASES = r"\w*free|if|for|while|switch|return|sizeof"
CONDITION = r"\bfor \([^;]*;([^;]*);"
BOUND = r"(?<!-)(?:[<>]=?|!=)(?!=)\s*((?:->|[^&|<>])+?)\s*(?=&&|\|\||$)"

Mutant = collections.namedtuple("Mutant", "id file line operator before after start")


def blank(pattern, text):
    """Blanks in place of what matches, but quotes where there was a string."""
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", '"' if m[0][0] in "\"'" else " ", m[0]),
                  text, flags=re.M | re.S)


def closing(text, at):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] == "(") - (text[k] == ")")
        if depth == 0:
            return k + 1
    return len(text)


def changes(text):
    """(operator, start, end, after) of each change of a body."""
    for m in re.finditer(CALL, text):
        start, end = m.start(1), closing(text, m.start(3))
        if not re.fullmatch(RELEASES, m[2]) and text[end:end + 1] == ";":
            yield "dropped call", start, end, m[1] + "PERP_OK" if "=" in m[1] else ""
    for condition in re.finditer(CONDITION, text):
        for m in re.finditer(BOUND, condition[1]):
            end = condition.start(1) + m.end(1)
            if not m[1].isdigit():
                yield "off-by-one", end, end, " + 1"
                yield "off-by-one", end, end, " - 1"
    before = ""
    for m in re.finditer(TOKEN, text):
        token = m[0]
        binary = re.fullmatch(r"[\w.]+|[\])\"]", before) and before not in ("return", "case")
        if re.fullmatch(r"\d+[uUlL]*", token):
            value = int(token.rstrip("uUlL"))
            for other in (value + 1, value - 1) if value else (1,):
                yield "off-by-one", *m.span(), f"{other}{token.lstrip('0123456789')}"
        elif token in ("+", "-") and not binary:
            if token == "-":
                yield "sign", *m.span(), ""
        else:
            for operator, swaps in OPERATORS.items():
                for other in swaps.get(token, []):
                    yield operator, *m.span(), other
        before = token


def mutants(source, file):
    """All mutants of a file in order, and the lines of code of its functions. The id of a mutant
    depends on its line and its function alone: where they stay, a later version has it, too."""
    text = blank(DECLARATIONS, blank(TEXTS, source))
    found, lines, seen = [], 0, collections.Counter()
    for function in re.finditer(FUNCTION, text, re.M | re.S):
        lines += sum(not line.isspace() for line in function[2].splitlines(True))
        for operator, start, end, after in changes(function[2]):
            start, end = start + function.start(2), end + function.start(2)
            begin = source.rfind("\n", 0, start) + 1
            line = source[begin:source.find("\n", start)].strip()
            key = f"{function[1]}|{line}|{start - begin}|{operator}|{after}"
            seen[key] += 1
            name = hashlib.sha1(f"{key}|{seen[key]}".encode()).hexdigest()[:8]
            found.append(Mutant(name, file, source.count("\n", 0, start) + 1, operator,
                                source[start:end], after, start))
    return found, lines


def apply(source, m):
    """The mutated source, with as many lines as before."""
    return source[:m.start] + m.after + "\n" * m.before.count("\n") + \
        source[m.start + len(m.before):]


def shuffled(found, seed):
    """The order in which mutants are drawn: operators take turns."""
    turns, order = collections.Counter(), []
    for m in sorted(found, key=lambda m: hashlib.sha1(f"{seed}|{m.id}".encode()).digest()):
        turns[m.operator] += 1
        order.append((turns[m.operator], m.operator, m))
    return [m for _, _, m in sorted(order, key=lambda o: o[:2])]


def quotas(sizes, count):
    """`count` in proportion to sizes, by largest remainders."""
    share = {room: count * size / sum(sizes.values()) for room, size in sizes.items()}
    whole = {room: int(share[room]) for room in sizes}
    for room in sorted(sizes, key=lambda r: whole[r] - share[r])[:count - sum(whole.values())]:
        whole[room] += 1
    return whole
