"""Finds the places of C++ sources where a small change makes sense, and writes the sources with calls in their place.

It goes by tokens and by the way in which clang-format sets them: binary operators stand between blanks, brackets of
templates do not. What does not compile all the same is left out by the caller.
"""
import re
from collections import namedtuple

# Numbers from one on stand for the changes of a site, in their order. function: the enclosing one, with its class.
# is_constant: of a constexpr function. is_ignored: no finding can show it.
Site = namedtuple("Site", "start end changes before after replaced function is_constant is_ignored")

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<raw>R"\((?:.|\n)*?\)")
      | (?P<string>(?:u8|[LuU])?"(?:\\.|[^"\\\n])*")
      | (?P<char>'(?:\\.|[^'\\\n])+')
      | (?P<number>(?:0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*(?:\.\d+)?)[uUlLfF]*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<operator>(?<=\s)(?:<<=|>>=|<=>|<<|>>|<=|>=)(?=\s)|->\*?|\+\+|--|&&|\|\||==|!=|<=|[-+*/%&|^]=|::|\.\.\.|[-+*/%&|^!~=<>?:;,.\[\](){}\#\\@$])""",
    re.VERBOSE | re.DOTALL)

OPENING = {"(": ")", "[": "]", "{": "}"}
# Word of mutants.hpp, and what each of its mutants becomes.
COMPARED = {"<": ("less", ["<=", ">="]), "<=": ("at_most", ["<", ">"]), ">": ("greater", [">=", "<="]),
            ">=": ("at_least", [">", "<"])}
SWAPPED = {"==": ("equal", "!="), "!=": ("differ", "=="), "+": ("plus", "-"), "-": ("minus", "+"), "*": ("times", "+"),
           "/": ("over", "*"), "%": ("modulo", "/"), "<<": ("left", ">>"), ">>": ("right", "<<"), "&": ("both", "|"),
           "|": ("either", "&"), "^": ("unlike", "|")}
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<=>"], ["<<", ">>"], ["+", "-"],
          ["*", "/", "%"]]
ASSIGNING = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
NOT_OPERANDS = {"return", "case", "else", "throw", "const", "auto", "and", "or", "not", "new", "delete"}
# Statements that say something to the compiler or leave the flow; nothing in them is changed, or nothing can be.
FIXED = {"static_assert", "using", "constexpr", "typedef", "struct", "class", "enum", "union", "goto", "template",
         "requires", "asm", "public", "private", "protected", "friend"}
FINDINGS = {"add", "add_milder", "stop_tracking", "report", "refuse", "note"}


class Token:
    __slots__ = ("kind", "text", "start", "end", "blank_before", "blank_after", "inside")

    def __init__(self, kind, text, start, end):
        self.kind, self.text, self.start, self.end = kind, text, start, end
        self.blank_before = self.blank_after = False
        self.inside = None  # of a group

    def is_group(self, bracket):
        return self.inside is not None and self.kind == bracket


def tokens_of(source):
    # Preprocessor lines are blanked out.
    source = re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", lambda m: re.sub(r"[^\n]", " ", m.group()), source, flags=re.MULTILINE)
    tokens, at = [], 0
    while at < len(source):
        if source[at].isspace():
            at += 1
            continue
        match = TOKEN.match(source, at)
        if match is None:
            raise ValueError(f"no token at offset {at}")
        if match.lastgroup != "comment":
            kind = "string" if match.lastgroup == "raw" else match.lastgroup
            token = Token(kind, match.group(), match.start(), match.end())
            token.blank_before = at > 0 and source[at - 1].isspace()
            token.blank_after = match.end() < len(source) and source[match.end()].isspace()
            tokens.append(token)
        at = match.end()
    return tokens


def grouped(tokens):
    """Brackets as one token each: kinds ( [ { and < for those of templates."""
    at = 0

    def until(closing):
        nonlocal at
        nodes = []
        while at < len(tokens):
            token = tokens[at]
            if token.text == closing and token.kind == "operator":
                return nodes
            at += 1
            if token.kind == "operator" and token.text in OPENING:
                nodes.append(group(token, token.text, OPENING[token.text]))
            elif token.kind == "operator" and token.text == "<" and opens_template(nodes, token):
                nodes.append(group(token, "<", ">"))
            else:
                nodes.append(token)
        return nodes

    def group(first, bracket, closing):
        nonlocal at
        inside = until(closing)
        last = tokens[at] if at < len(tokens) else first
        at += 1
        node = Token(bracket, bracket, first.start, last.end)
        node.inside, node.blank_before, node.blank_after = inside, first.blank_before, last.blank_after
        return node

    def opens_template(nodes, token):
        if not nodes:
            return False
        before = nodes[-1]
        if before.is_group("["):
            return len(nodes) == 1 or not is_operand(nodes[-2])  # a lambda, and no element
        return before.text == "template" or (before.kind == "word" and not token.blank_before and before.text != "operator")

    return until(None)


class Scan:
    def __init__(self, source, constants):
        self.source, self.constants = source, constants
        self.sites = []  # what stands around another one comes before it
        # (start, end, name) of classes, functions, variables with braces and their elements that begin with a string
        self.bodies = []
        self.scopes = []  # classes, and the function, that are being read
        self.is_constant = self.is_ignored = False

    def run(self):
        self.declarations(grouped(tokens_of(self.source)))
        return self.sites

    # --- declarations -----------------------------------------------------------------------------------------------

    def declarations(self, nodes):
        head = []
        for node in nodes:
            if node.text == ";":
                head = []
                continue
            if node.is_group("{"):
                self.braces(head, node)
                is_value = any(n.text == "=" for n in head) or not node.blank_before
                if not is_value:
                    head = []
                continue
            if node.text == ":" and len(head) == 1 and head[0].text in ("public", "private", "protected"):
                head = []
                continue
            head.append(node)

    def braces(self, head, node):
        words = [n.text for n in head]
        if "namespace" in words or ("extern" in words and "(" not in words):
            return self.declarations(node.inside)
        if "enum" in words or "concept" in words:
            return
        is_function = any(n.is_group("(") for n in head)
        if "consteval" in words:
            return self.inside(function_name(head), lambda nodes: None, head, node)
        if "=" in words and "operator" not in words:
            return self.inside(variable_name(head), self.lambdas, head, node)
        if ("class" in words or "struct" in words or "union" in words) and not is_function:
            return self.inside(class_name(head), self.declarations, head, node)
        if is_function and node.blank_before:
            self.is_constant = "constexpr" in words
            self.inside(function_name(head), self.block, head, node)
            self.is_constant = False

    def inside(self, scope, read, head, node):
        self.scopes.append(scope)
        self.bodies.append(((head or [node])[0].start, node.end, "::".join(self.scopes)))
        read(node.inside)
        self.scopes.pop()

    def lambdas(self, nodes):
        """In what the compiler evaluates only the bodies of lambdas run."""
        for i, node in enumerate(nodes):
            if node.inside is None:
                continue
            if node.is_group("{") and node.inside and node.inside[0].kind == "string":
                self.bodies.append((node.start, node.end, node.inside[0].text.strip('"')))  # an element with a name
            if node.is_group("{") and is_lambda_body(nodes, i):
                self.block(node.inside)
            else:
                self.lambdas(node.inside)

    # --- statements -------------------------------------------------------------------------------------------------

    def block(self, nodes):
        at = 0
        while at < len(nodes):
            at = self.statement(nodes, at)

    def statement(self, nodes, at):
        node = nodes[at]
        if node.text == ";":
            return at + 1
        if node.is_group("{"):
            self.block(node.inside)
            return at + 1
        if node.is_group("[") and node.inside and node.inside[0].is_group("["):  # an attribute
            return at + 1
        if node.text in ("else", "do", "default", "break", "continue") or node.text == ":":
            return at + 1
        if node.text == "case":
            while nodes[at].text != ":":
                at += 1
            return at + 1
        if node.text in ("if", "while", "switch", "for") and at + 1 < len(nodes):
            return self.head(nodes, at)
        end = at
        while end < len(nodes) and nodes[end].text != ";":
            end += 1
        whole = nodes[at:end]
        if node.text in FIXED or (node.text == "static" and len(whole) > 1 and whole[1].text == "constexpr"):
            return end + 1
        self.is_ignored = len(whole) > 1 and whole[-1].is_group("(") and shows_nothing([n.text for n in whole])
        if node.text == "return":
            self.returned(whole[1:])
        elif node.text not in ("throw", "delete"):
            if end < len(nodes) and can_be_dropped(whole):
                self.add(whole + [nodes[end]], [f"`{self.text(whole)}` dropped"], "{{ if (!{0}is({1})) ", " }}")
            self.expressions(whole)
        self.is_ignored = False
        return end + 1

    def head(self, nodes, at):
        word, next_one = nodes[at].text, nodes[at + 1]
        if next_one.text == "constexpr":
            return at + 3
        inside = next_one.inside
        parts = split(inside, ";")
        if word in ("if", "while"):
            is_declaration = len(parts) > 1 or any(n.text in ASSIGNING for n in inside) and declares(inside)
            if is_declaration or (word == "while" and [n.text for n in inside] == ["true"]):
                for part in parts:
                    if [n.text for n in part] != ["true"]:
                        self.expressions(part)
            elif not throws_bad_alloc(nodes[at + 2:at + 8]):
                self.condition(inside, both=word == "if")
        elif word == "for" and len(parts) == 3:
            self.expressions(parts[0])
            self.expressions(parts[1])
            self.groups(parts[2])
        elif word == "for":
            for part in parts[:-1]:
                self.expressions(part)
            colon = next((i for i, n in enumerate(parts[-1]) if n.text == ":"), -1)
            self.expressions(parts[-1][colon + 1:])
        else:
            self.expressions(inside)
        return at + 2

    def condition(self, nodes, both):
        whole = f"`{'if' if both else 'while'} ({self.text(nodes)})`"
        if both and lowest(nodes) is None:
            self.add(nodes, [f"{whole} -> `false`", f"{whole} -> `true`"], "{0}forced({1}, static_cast<bool>(", "))")
        else:
            self.add(nodes, [f"{whole} -> `false`"], "{0}dropped({1}, static_cast<bool>(", "))")
        self.expressions(nodes)

    def returned(self, nodes):
        if not nodes:
            return
        # `return report.add(...)` of a function that returns nothing
        words = [n.text for n in nodes if n.kind == "word"]
        is_call = nodes[-1].is_group("(") and len(nodes) > 1 and nodes[-2].text in FINDINGS
        if is_call and words and not any(n.text in ("?", "=") for n in nodes):
            self.add(nodes, [f"`{self.text(nodes)}` dropped"], "{0}is({1}) ? void() : ", "")
        self.expressions(nodes)

    # --- expressions ------------------------------------------------------------------------------------------------

    def expressions(self, nodes):
        for segment in split(nodes, ","):
            self.expression(segment)

    def arguments(self, callee, nodes):
        """Those of a call or a constructor, but for those that no finding depends on."""
        segments = split(nodes, ",")
        for i, segment in enumerate(segments):
            is_plain = len(segment) == 1
            if is_plain and segment[0].text == "0" and i in (1, 3) and is_view(callee, segments):
                continue  # the place, or the version of fields that all versions have
            if is_plain and callee[-1:] in (["view"], ["ahead"]) and i == len(segments) - 1:
                continue  # a window may show more than it is asked for
            self.expression(segment)

    def expression(self, nodes):
        if not nodes:
            return
        for i, node in enumerate(nodes):
            if node.text in ASSIGNING and node.kind == "operator" and i > 0:
                self.groups(nodes[:i])
                return self.expression(nodes[i + 1:])
        question = next((i for i, n in enumerate(nodes) if n.text == "?"), None)
        if question:
            colon = matching_colon(nodes, question)
            self.ternary(nodes[:question])
            self.expression(nodes[question + 1:colon])
            return self.expression(nodes[colon + 1:])
        if nodes[0].text in NOT_OPERANDS:
            return self.expression(nodes[1:])
        at = lowest(nodes)
        if at is None:
            return self.unary(nodes)
        self.binary(nodes, at)

    def ternary(self, nodes):
        if lowest(nodes) is None and nodes:
            self.add(nodes, [f"`{self.text(nodes)} ?` negated"], "{0}negated({1}, static_cast<bool>(", "))")
        self.expression(nodes)

    def binary(self, nodes, at):
        a, b, operator = nodes[:at], nodes[at + 1:], nodes[at]
        text = self.text(nodes)
        if operator.text in ("&&", "||"):
            for part in (a, b):
                inner = lowest(part)
                if inner is not None and part[inner].text == operator.text:
                    continue
                before = "({0}is({1}) || " if operator.text == "&&" else "(!{0}is({1}) && "
                self.add(part, [f"`{self.text(part)}` dropped of `{text}`"], before + "static_cast<bool>(", "))")
        elif operator.text in COMPARED:
            name, becomes = COMPARED[operator.text]
            self.add(nodes, [f"`{text}` -> `{other}`" for other in becomes], "{0}" + name + "({1}, ", ")", operator)
        elif operator.text in SWAPPED:
            name, becomes = SWAPPED[operator.text]
            self.add(nodes, [f"`{text}` -> `{becomes}`"], "{0}" + name + "({1}, ", ")", operator)
        self.operand(a, operator.text)
        self.operand(b, operator.text)

    def operand(self, nodes, operator):
        """A number beside < or > has its boundary moved already."""
        if operator in COMPARED and len(nodes) == 1 and nodes[0].kind in ("number", "word"):
            return
        if operator in ("==", "!=", "<<", ">>") and len(nodes) == 1 and nodes[0].kind == "number":
            return self.number(nodes[0], only_up=True)
        self.expression(nodes)

    def unary(self, nodes):
        if len(nodes) == 1 and nodes[0].kind == "number":
            return self.number(nodes[0])
        if len(nodes) == 1 and nodes[0].text in ("true", "false"):
            node = nodes[0]
            return self.add([node], [f"`{node.text}` negated"], "{0}negated({1}, ", ")")
        if len(nodes) == 1 and nodes[0].text in self.constants:
            node = nodes[0]
            return self.add([node], [f"`{node.text}` -> `{node.text} + 1`"], "{0}raised({1}, ", ")")
        if nodes[0].kind == "operator" and nodes[0].text in ("-", "~", "!", "*", "&", "++", "--"):
            return self.unary(nodes[1:]) if len(nodes) > 1 and nodes[1].kind != "number" else None
        self.groups(nodes)

    def number(self, node, only_up=False):
        if "." in node.text:
            return
        text = node.text
        if only_up or re.fullmatch(r"0[uUlL]*", text):
            self.add([node], [f"`{text}` -> `{text} + 1`"], "{0}raised({1}, ", ")")
        else:
            self.add([node], [f"`{text}` -> `{text} + 1`", f"`{text}` -> `{text} - 1`"], "{0}moved({1}, ", ")")

    def groups(self, nodes):
        """What stands in brackets."""
        for i, node in enumerate(nodes):
            if node.inside is None or node.kind == "<":
                continue
            if node.is_group("{") and is_lambda_body(nodes, i):
                self.block(node.inside)
            elif node.is_group("[") and (i == 0 or not is_operand(nodes[i - 1])):
                continue  # what a lambda captures, or an attribute
            elif node.is_group("[") and i > 1 and nodes[i - 1].kind == "word" and is_operand(nodes[i - 2]):
                continue  # the size of an array that is declared
            elif node.is_group("(") and is_parameters(nodes, i):
                continue
            elif node.is_group("(") or node.is_group("{"):
                self.arguments([n.text for n in nodes[:i] if n.kind in ("word", "<")], node.inside)
            else:
                self.expressions(node.inside)

    # --- sites ------------------------------------------------------------------------------------------------------

    def text(self, nodes):
        return re.sub(r"\s+", " ", self.source[nodes[0].start:nodes[-1].end])

    def add(self, nodes, changes, before, after, replaced=None):
        """`before` and `after` go around the nodes; a comma takes the place of `replaced`."""
        is_ignored = self.is_ignored or any(map(only_prefetches, "::".join(self.scopes).split("::")))
        self.sites.append(Site(nodes[0].start, nodes[-1].end, changes, before, after, replaced, "::".join(self.scopes),
                               self.is_constant, is_ignored))


def function_name(head):
    """`f`, `Class::f` or `operator<` of what stands before a function's body."""
    at = next(i for i, node in enumerate(head) if node.is_group("("))
    name = ""
    for node in reversed(head[:at]):
        if node.kind == "<":
            continue
        if name and not (node.text == "::" or name.startswith("::") or node.text in ("operator", "~")):
            break
        name = node.text + name
    return name or "operator()"


def variable_name(head):
    """`kNames` of `constexpr Name kNames[] =`."""
    before = head[:next(i for i, node in enumerate(head) if node.text == "=")]
    return next(node.text for node in reversed(before) if node.kind == "word")


def class_name(head):
    """Of `template <...> struct alignas(8) Name final : Base`."""
    names = [node.text for node in head[:next((i for i, n in enumerate(head) if n.text == ":"), len(head))]
             if node.kind == "word" and node.text not in ("final", "alignas", "template")]
    return names[-1] if names[-1] not in ("class", "struct", "union") else "(unnamed)"


def throws_bad_alloc(nodes):
    """Whether a statement says that there is no memory, which tests/failures provoke."""
    return [n.text for n in nodes[:1]] == ["throw"] and any(n.text == "bad_alloc" for n in nodes)


def is_view(callee, segments):
    """Whether the arguments are those of a view: `View<k>(`, `View<k> name(`, or bytes, offset and byte order."""
    is_order = len(segments) > 2 and segments[2] and any(n.text.lower() in ("order", "byteorder") for n in segments[2])
    return is_order or callee[-2:] == ["View", "<"] or callee[-3:-1] == ["View", "<"]


def split(nodes, separator):
    parts = [[]]
    for node in nodes:
        if node.text == separator and node.kind == "operator":
            parts.append([])
        else:
            parts[-1].append(node)
    return parts


def is_operand(node):
    if node.inside is not None:
        return True
    return node.kind in ("number", "string", "char") or (node.kind == "word" and node.text not in NOT_OPERANDS)


def is_binary(nodes, i):
    node = nodes[i]
    return (node.kind == "operator" and 0 < i < len(nodes) - 1 and node.blank_before and node.blank_after
            and is_operand(nodes[i - 1]))


def level_of(text):
    return next((level for level, texts in enumerate(LEVELS) if text in texts), None)


def lowest(nodes):
    """The operator that is applied last; none in a declaration, a ternary or an assignment."""
    if any(n.kind == "operator" and (n.text in ASSIGNING or n.text == "?") for n in nodes):
        return None
    best, best_level = None, len(LEVELS)
    for i, node in enumerate(nodes):
        if not is_binary(nodes, i):
            continue
        level = level_of(node.text)
        if level is not None and level <= best_level:
            best, best_level = i, level
    return best


def matching_colon(nodes, question):
    depth = 0
    for i in range(question + 1, len(nodes)):
        if nodes[i].text == "?":
            depth += 1
        if nodes[i].text == ":":
            if depth == 0:
                return i
            depth -= 1
    return len(nodes)


def is_lambda_body(nodes, i):
    """[...] {, [...](...) {, [...](...) mutable -> T {"""
    for before in range(i - 1, max(-1, i - 12), -1):
        node = nodes[before]
        if node.is_group("["):
            return before == 0 or not is_operand(nodes[before - 1])
        if not (node.is_group("(") or node.is_group("<") or node.kind == "word" or node.text in ("->", "::", "*", "&")):
            return False
    return False


def is_parameters(nodes, i):
    return i > 0 and nodes[i - 1].is_group("[") and (i == 1 or not is_operand(nodes[i - 2]))


def declares(nodes):
    """Two operands side by side: a type and a name."""
    if nodes[0].text == "decltype":
        return True
    for a, b in zip(nodes, nodes[1:]):
        if b.kind == "word" and (a.kind == "word" or a.kind == "<" or (a.text in ("&", "*", "&&") and not a.blank_before)):
            if b.text not in ("template",) and a.text not in ("return", "template"):
                return True
        if b.text in ASSIGNING:
            return False
    return False


def can_be_dropped(nodes):
    """Whether the statement is a call, an assignment or a step, and no declaration."""
    if declares(nodes) or any(n.text in ("co_return", "co_yield") for n in nodes):
        return False
    text = [n.text for n in nodes]
    if "work_" in text or "work" in text:
        return False
    if any(n.text in ASSIGNING and n.kind == "operator" for n in nodes):
        return nodes[0].kind in ("word", "(", "operator") and nodes[0].text not in ("const", "auto")
    if nodes[0].text in ("++", "--") or nodes[-1].text in ("++", "--"):
        return True
    return nodes[-1].is_group("(") and len(nodes) > 1 and (nodes[-2].kind in ("word", "<")) and nodes[0].kind != "number"


def shows_nothing(words):
    """Whether a call counts work, which tests bound, reserves memory, prefetches, or holds a fast path to its table."""
    counts_work = words[-2] == "add" and words[-4:-3] in (["work"], ["work_"])
    return counts_work or only_prefetches(words[-2]) or words[-2] in ("reserve", "assert", "agree", "abort", "fputs")


def only_prefetches(name):
    """Of a function or a class."""
    return name.removeprefix("__builtin_").lower().startswith("prefetch")


class Bodies:
    """Which function, class or variable a part of a source belongs to."""

    def __init__(self, source):
        scan = Scan(source, set())
        scan.run()
        self.bodies = scan.bodies

    def name_at(self, offset):
        """Of the innermost one, with its class; of an element of a variable, the string that it begins with."""
        around = [(end - start, name) for start, end, name in self.bodies if start <= offset < end]
        return min(around)[1] if around else ""


def constants_of(sources):
    """Names of constant numbers, of all files."""
    declared = re.compile(r"constexpr (?:static )?(?:std::)?(?:u?int\d+_t|size_t|unsigned|int) ([^;{]+);")
    names = set()
    for source in sources:
        for match in declared.finditer(source):
            names.update(re.findall(r"(k[A-Z]\w*) =", match.group(1)))
    return names


def instrumented(source, sites, first, left_out):
    """The source with a call at every site, its mutants as (number, line, function, change), and the numbers of those in
    constexpr functions. `left_out(line, change)` says which sites are not to be made; their numbers stay unused, as are
    those of ignored sites."""
    edits, mutants, constant, number = [], [], set(), first
    for order, site in enumerate(sites):
        line = source.count("\n", 0, site.start) + 1
        if not site.is_ignored and not left_out(line, site.changes[0]):
            mutants += [(number + i, line, site.function, change) for i, change in enumerate(site.changes)]
            if site.is_constant:
                constant.update(range(number, number + len(site.changes)))
            # At one offset what ends comes before what begins, and what began first ends last.
            edits.append((site.start, 1, order, 0, site.before.format("::tracelint::mutants::", number)))
            edits.append((site.end, 0, -order, 0, site.after.format()))
            if site.replaced is not None:
                edits.append((site.replaced.start, 1, 0, site.replaced.end - site.replaced.start, ","))
        number += len(site.changes)
    out, at = [], 0
    for place, _, _, replaces, text in sorted(edits):
        out += [source[at:place], text]
        at = place + replaces
    out.append(source[at:])
    return "".join(out), mutants, constant
