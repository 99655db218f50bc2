#!/usr/bin/env python3
"""Texts that users read: short sentences in the field's words (pages, changelog, docstrings, comments).
Of the sources, messages and comments, the words alone.

usage: words.py [FILE...]; by default all of them

Counted are words of sentences, paragraphs (and items of lists), and cells of tables. Left out are
blocks of code, formulas of their own lines, addresses of links, and contents ("On this page:"); code
within a line is one word.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EVERY = ["*.md", "docs/**/*.md", "docs/*.scd", "tests/**/*.md", "robots/*.yaml", "examples/*.c*",
         "src/python/armdyn/*.py", "include/armdyn/[!r]*.hpp", "include/armdyn/r*[!t].hpp"]
SOURCES = ["src/**/*.[ch]pp"]
MOST_WORDS = {"sentence": 25, "paragraph": 80, "cell": 25}

# What is not written (a pattern and a phrase that it finds), and what is written instead.
VOCABULARY = [
    (r"(?<!by )(?<!right-)(?<!left-)(?<!on the other )(?<!on the one )\bhands?\b(?![ -]written)(?! over)",
     "the hand line", "end effector, TCP, tool frame"),
    (r"\bjoints? that turns?\b", "a joint that turns", "revolute joint"),
    (r"(?<!hinge, )\bslides?\b", "a slide", "prismatic joint; of friction: slips"),
    (r"\bway of the\b|\bits way\b|\bmotions? as fast as\b", "the way of the tool",
     "path; time scaling, retiming"),
    (r"\bby chance\b", "states by chance", "random"),
    (r"\bdrawn (arms?|robots?)\b|\b(arms?|robots?) (that (are|is) )?drawn\b", "arms that are drawn",
     "sampled robots"),
    (r"\bbod(y|ies) (that )?exists?\b|\bno body (has|can)\b", "an inertia that no body has",
     "physically consistent inertia"),
    (r"\bhow far (the )?numbers\b", "how far numbers may be", "parameter uncertainty, tolerance"),
    (r"\bcertain digits\b|\bdigits (that )?(are|is) certain\b|\bfrom the truth\b",
     "how far it can be from the truth", "error bound; verified digits"),
    (r"(?<!cross-)\bchecks? (one another|each other)\b|\b(hold|holds|held|holding) against\b"
     r"|\b(holds?|held) [^.;]{1,40} against\b", "held against the arm", "cross-check, compare with"),
    (r"\bleft unexplained\b|\bwhat (is|was) left\b|\bis left of\b", "what is left of the torque",
     "residual"),
    (r"\bnot fitted\b", "rows that were not fitted", "validation data, held-out data"),
    (r"\bagainst the data\b", "what ROBOT says against the data", "regularization weight, prior"),
    (r"\bderive[sd]? (speed|velocit|accelerat|from position)|\bfits (go|and)\b", "derived speeds",
     "numerical differentiation, smoothing window"),
    (r"\bmoved (in)?to (its|the|their) (limit|range)", "moved into the limits", "clipped, projected"),
    (r"\bweightless\b", "a weightless arm", "gravity removed"),
    (r"\bcarried (to|into)\b|\bseen (in|from) (\{|the (world|base|frame))", "seen from {0}",
     "expressed in"),
    (r"(?<!first )\bmoments? of mass\b", "a moment of mass", "first moment of mass"),
    (r"\bspeed whose sign\b", "speed whose sign the friction has", "friction compensation"),
    (r"\bnot grow while\b", "a sum does not grow while", "anti-windup"),
    (r"\bin such steps\b", "positions are read in such steps", "encoder resolution"),
    (r"\bcycle after cycle\b|\bruns? away\b", "the motor runs away", "duty cycle; thermal runaway"),
    (r"\bsound\b", "the model is sound", "validate, no problems found"),
    (r"\bputs? together\b", "puts together", "merge"),
    (r"\bbroken\b(?! away)|\bbreaks? (a|the|its|their) limits?\b", "a limit is broken", "limit exceeded"),
    (r"\b(say|says|said|saying|tell|tells|told|telling)\b|\bpass(es|ed)? over\b", "it is passed over",
     "computes, reports, prints, rejects, ignores"),
    (r"\b(knows|wants|finds true)\b", "the program knows", "reads, expects"),
    (r"\bas where\b|\bso read,", "as where t is in ms", "as if; then"),
    (r"\bas far as\b|\bso long\b|\b(by|of) which\b|\bwhich is so\b", "of which one",
     "a sentence of its own"),
]
BRITISH = [
    r"(centi|milli|kilo)?metres?", r"\w*centres?", r"\w*centred", r"licences?", r"\w*colours?\w*",
    r"\w*behaviours?", r"\w*neighbour\w*", r"favour\w*", r"honour\w*", r"grey", r"catalogues?",
    r"programmes?", r"judgements?", r"artefacts?", r"modell\w+", r"labell\w+", r"travell\w+",
    r"cancell(ed|ing)", r"analys(e|ed|es|ing)", r"fulfil", r"fibres?", r"towards", r"whilst", r"defence",
    # -ise and its kin, but for words in which it is no ending.
    r"(?!(prec|rev|superv|adv|prom|comprom|exerc|otherw|ra|pra|dev|franch|surpr|no|po|ar|w|bru|cru|"
    r"imprec|conc|adverti|tele|rep|dis|exp|demi|clockw|likew|stepw|blockw|roww|pointw|elementw|piecew|"
    r"pairw|sunr|jointw|anticlockw|counterclockw|columnw|lanew|bitw|en|v|r|guise)is)\w{2,}"
    r"is(e|ed|es|ing|ation|ations|er|ers)",
]
BRITISH = re.compile(r"\b(" + "|".join(BRITISH) + r")\b", re.IGNORECASE)
VOCABULARY = [(re.compile(wrong, re.IGNORECASE), phrase, right) for wrong, phrase, right in VOCABULARY]


def plain(text):
    """Text with a word for each piece of code or formula, and links by their words."""
    text = re.sub(r"``.+?``|`[^`]+`", " Code ", text)
    text = re.sub(r"\$\$?[^$]+\$\$?", " Formula ", text)
    text = re.sub(r"<!--.*?-->", " ", text)
    text = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*\*|(?<!\w)[*_]|[*_](?!\w)|\\(?=[|*_])", "", text)


def words(text):
    return [word for word in text.split() if re.search(r"\w", word)]


def sentences(text):
    """The term in bold print that a paragraph begins with is a sentence of its own."""
    text = plain(re.sub(r"^(\*\*[^*]+\*\*(?: [^:.]{1,40}:)?)", r"\1. ", text))
    text = re.sub(r"\b(e\.g|i\.e|eqs?|cf|vs|al|Fig|no|approx|Eqs?|Sec|incl|ca)\.(?= )", r"\1", text)
    return re.split(r"(?<=[.!?])[)\"”]?\s+", text)


def prose(file):
    """Text of a page; of other files comments, descriptions or docstrings, in the same lines."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        return "".join(re.sub("^ +", "", part, flags=re.MULTILINE) if k % 2 else "\n" * part.count("\n")
                       for k, part in enumerate(text.split('"""')))
    if file.suffix in (".md", ".scd"):
        return text
    mark = r"[ \t]*# ?|description: " if file.suffix == ".yaml" else r"[ \t]*//+ ?"
    return re.sub(rf"^(?:(?:{mark})(.*)|.*)$", r"\1", text, flags=re.MULTILINE)


def texts_of_source(file):
    """Texts of at least two words, and comments, each with its line."""
    source = file.read_text(encoding="utf-8")
    for match in re.finditer(r"(?:^|\s)//.*", source):
        yield source[:match.start() + 1].count("\n") + 1, plain(match[0])
    source = re.sub(r"^[ \t]*//.*$", "", source, flags=re.MULTILINE)
    for match in re.finditer(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', source):
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[0])).replace("\\n", " ")
        if len(words(text)) > 1:
            yield source[:match.start()].count("\n") + 1, plain(text)


def pieces(page):
    """(line, kind, text) of each heading, paragraph (an item of a list is one) and cell."""
    found, fence, paragraph, first = [], None, [], 0

    def end():
        if paragraph:
            found.append((first, "paragraph", " ".join(paragraph)))
        paragraph.clear()

    for number, line in enumerate(page.splitlines() + [""], 1):
        stripped = line.strip()
        mark = re.match(r"(```+|\$\$)", stripped)
        if fence:
            fence = None if stripped.endswith(fence) else fence
        elif mark:
            end()
            closes = len(stripped) > 2 and stripped.endswith("$$")
            fence = None if closes else mark[1]
        elif stripped.startswith("|"):
            end()
            for cell in re.split(r"(?<!\\)\|", re.sub(r"`[^`]*`", "`code`", stripped))[1:-1]:
                found.append((number, "cell", cell))
        elif stripped.startswith("#"):
            end()
            found.append((number, "heading", stripped.lstrip("# ")))
        elif line.startswith("    ") and not paragraph and not re.match(r"[-*+]\s", stripped):
            pass  # code or a formula
        elif not stripped or re.match(r"([-*+]|\d+\.)\s", stripped) or stripped.startswith(">"):
            end()
            if stripped:
                paragraph.append(re.sub(r"^([-*+>]|\d+\.)\s*", "", stripped))
                first = number
        else:
            if not paragraph:
                first = number
            paragraph.append(stripped)
    return found


def wrong_words(text):
    for wrong, _, right in VOCABULARY:
        for match in wrong.finditer(text):
            yield f'"{match[0]}": write {right}'
    for match in BRITISH.finditer(text):
        yield f'"{match[0]}": American spelling'


def violations(text):
    for line, kind, piece in pieces(text):
        prose = plain(piece)
        if prose.startswith("On this page:"):
            continue
        for name, counted in [(kind, [prose])] + [("sentence", sentences(piece))] * (kind != "cell"):
            for part in counted:
                if len(words(part)) > MOST_WORDS.get(name, 25):
                    yield line, f"{name} of {len(words(part))} words: {part.strip()[:90]}"
        yield from ((line, what) for what in wrong_words(prose))


def main(arguments):
    for wrong, phrase, right in VOCABULARY:
        assert wrong.search(phrase), phrase
        assert not wrong.search(right), right
    every = [file for places in EVERY for file in sorted(ROOT.glob(places))]
    sources = [file for places in SOURCES for file in sorted(ROOT.glob(places))] * (not arguments)
    found = [(file, *one) for file in [Path(name).resolve() for name in arguments] or every
             for one in violations(prose(file))]
    found += [(file, line, what) for file in sources for line, text in texts_of_source(file)
              for what in wrong_words(text)]
    for file, line, what in found:
        print(f"{file.relative_to(ROOT)}:{line}: {what}")
    bad = len(found)
    print(f"{bad} violations")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
