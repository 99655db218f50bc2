"""The verbs in src/python/armdyn/__init__.pyi, from their functions and the options that they declare.

PYTHONPATH=... python3 stubs.py writes them anew.
"""

import inspect
import keyword
import textwrap
from pathlib import Path

import armdyn
from armdyn import _core, _verbs

STUBS = Path(__file__).parents[2] / "src" / "python" / "armdyn" / "__init__.pyi"
MARK = "    # Verbs, written by tests/python/stubs.py\n"


def parameters(function, verb):
    """Its parameters and, in place of **options, the keywords of the verb."""
    found, is_keyword_only = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not is_keyword_only:
            found.append("*")
            is_keyword_only = True
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        kind = "" if parameter.annotation is parameter.empty else f": {parameter.annotation}"
        default = "" if parameter.default is parameter.empty else " = ..." if kind else "=..."
        found.append(f"{star}{parameter.name}{kind}{default}")
    names = [*inspect.signature(function).parameters]
    if "options" not in names:
        return found
    if verb is None:
        return [*found, "**options: Any"]
    known = [("as_" if name == "as" else name, kind) for name, kind, _ in verb]
    known = [f"{name}: {kind} = ..." for name, kind in known
             if name not in names and not keyword.iskeyword(name)]
    return found + ([] if is_keyword_only else ["*"]) + known


def declaration(function, verb, indent):
    result = inspect.signature(function).return_annotation
    result = "Any" if result is inspect.Signature.empty else result
    head = f"{indent}def {function.__name__}("
    whole = [part.replace(" ", "\0") for part in parameters(function, verb)]  # in one line each
    end = f") -> {result}: ...".replace(" ", "\0")
    lines = textwrap.wrap(", ".join(whole) + end, 100 - len(head), break_long_words=False,
                          break_on_hyphens=False)
    return head + ("\n" + " " * len(head)).join(lines).replace("\0", " ") + "\n"


def written():
    verbs = {name: keywords for name, _, keywords in _core.verbs()}
    text = "    @overload\n" + declaration(_verbs.torque, verbs["torque"], "    ")
    for name, member in vars(armdyn.Robot).items():
        if getattr(member, "__module__", None) == "armdyn._verbs":
            text += declaration(member, verbs.get(name), "    ")
    return (text + "\n" + declaration(armdyn.read_log, verbs["read_log"], "")
            + declaration(armdyn.run, None, ""))


def stubs():
    return STUBS.read_text().partition(MARK)[0] + MARK + written()


if __name__ == "__main__":
    STUBS.write_text(stubs())
