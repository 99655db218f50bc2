#!/usr/bin/python3
"""Compares right and wrong formulas, written in seven dialects, with arms by `equations --verify`.

    sheets.py PROGRAM [--seed N] [--right N] [--wrong N]

Right formulas are those of books and papers below, and what `equations` prints. Wrong ones have a
mistake somewhere: a sign, an index, a factor, an exponent, a function, a missing term, a shorter sum of
angles, a missing dot, another entry's right side. Whether a mistake changes a formula is decided here,
by numbers. Every right formula must be proved, and every wrong one found.
"""

import argparse
import ast
import copy
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ARMS = {
    "rpr": """
convention: modified
gravity: [0, -9.81, 0]
parameters: {m1: 3, m2: 2, m3: 1.5, l1: 0.4, l3: 0.3, I1: 0.05, I2: 0.04, I3: 0.03}
joints:
  - {name: a, type: revolute, dh: {a: 0, alpha: 0, d: 0, theta: pi/2}, mass: m1, com: [0, -l1, 0],
     inertia: {xx: I1, yy: 0, zz: I1, xy: 0, yz: 0, xz: 0}}
  - {name: b, type: prismatic, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: m2, com: [0, 0, 0],
     inertia: {xx: I2, yy: I2, zz: 0, xy: 0, yz: 0, xz: 0}}
  - {name: c, type: revolute, dh: {a: 0, alpha: -pi/2, d: 0, theta: -pi/2}, mass: m3, com: [l3, 0, 0],
     inertia: {xx: 0, yy: I3, zz: I3, xy: 0, yz: 0, xz: 0}}
""",
    "elbow": """
convention: standard
parameters: {m1: 5, m2: 4, m3: 2, l2: 0.5, l3: 0.4, r2: 0.25, r3: 0.2, I1: 0.1, I2: 0.07, I3: 0.03}
joints:
  - {name: a, type: revolute, dh: {a: 0, alpha: pi/2, d: 0.3}, mass: m1, com: [0, 0, 0],
     inertia: {xx: 0, yy: I1, zz: 0, xy: 0, yz: 0, xz: 0}}
  - {name: b, type: revolute, dh: {a: l2, alpha: 0, d: 0}, mass: m2, com: [r2-l2, 0, 0],
     inertia: {xx: 0, yy: I2, zz: I2, xy: 0, yz: 0, xz: 0}}
  - {name: c, type: revolute, dh: {a: l3, alpha: 0, d: 0}, mass: m3, com: [r3-l3, 0, 0],
     inertia: {xx: 0, yy: I3, zz: I3, xy: 0, yz: 0, xz: 0}}
""",
    "scara": """
convention: standard
parameters: {m1: 5, m2: 4, m3: 2, a1: 0.5, a2: 0.4, I1: 0.1, I2: 0.07, I3: 0.03}
joints:
  - {name: a, type: revolute, dh: {a: a1, alpha: 0, d: 0}, mass: m1, com: [-a1/2, 0, 0],
     inertia: {xx: 0, yy: I1, zz: I1, xy: 0, yz: 0, xz: 0}}
  - {name: b, type: revolute, dh: {a: a2, alpha: pi, d: 0}, mass: m2, com: [-a2/2, 0, 0],
     inertia: {xx: 0, yy: I2, zz: I2, xy: 0, yz: 0, xz: 0}}
  - {name: c, type: prismatic, dh: {a: 0, alpha: 0, d: 0}, mass: m3, com: [0, 0, 0],
     inertia: {xx: I3, yy: I3, zz: I3, xy: 0, yz: 0, xz: 0}}
"""}

# By hand: arm, left side, right side.
BOOKS = [
    ("craig-rr", "tau1", "m2*l2**2*(qdd1+qdd2) + m2*l1*l2*cos(q2)*(2*qdd1+qdd2) + (m1+m2)*l1**2*qdd1"
     " - m2*l1*l2*sin(q2)*qd2**2 - 2*m2*l1*l2*sin(q2)*qd1*qd2 + m2*l2*g*cos(q1+q2) + (m1+m2)*l1*g*cos(q1)"),
    ("craig-rr", "tau2", "m2*l2**2*(qdd1+qdd2) + m2*l1*l2*cos(q2)*qdd1 + m2*l1*l2*sin(q2)*qd1**2"
     " + m2*l2*g*cos(q1+q2)"),
    ("craig-rr", "V1", "-m2*l1*l2*sin(q2)*(qd2**2 + 2*qd1*qd2)"),
    ("craig-rr", "K", "m1*l1**2*qd1**2/2 + m2/2*(l1**2*qd1**2 + l2**2*(qd1+qd2)**2"
     " + 2*l1*l2*cos(q2)*qd1*(qd1+qd2))"),
    ("craig-rp", "tau1", "(m1*l1**2 + I1 + I2 + m2*q2**2)*qdd1 + 2*m2*q2*qd1*qd2 + (m1*l1+m2*q2)*g*cos(q1)"),
    ("craig-rp", "tau2", "m2*qdd2 - m2*q2*qd1**2 + m2*g*sin(q1)"),
    ("two-link-spong", "tau2", "m2*l2**2/4*(qdd1+qdd2) + m2*l1*l2/2*cos(q2)*qdd1"
     " + m2*l1*l2/2*sin(q2)*qd1**2 + m2*l2/2*g*cos(q1+q2)"),
    ("two-link-spong", "U", "(m1/2 + m2)*l1*g*sin(q1) + m2*l2/2*g*sin(q1+q2)"),
    ("siciliano-rr", "M11", "Il1 + ml1*l1**2 + kr1**2*Im1 + Il2 + ml2*(a1**2 + l2**2 + 2*a1*l2*cos(q2))"
     " + Im2 + mm2*a1**2"),
    ("siciliano-rr", "G1", "(ml1*l1 + mm2*a1 + ml2*a1)*g*cos(q1) + ml2*l2*g*cos(q1+q2)"),
    ("elbow", "G2", "(m2*r2 + m3*l2)*g*cos(q2) + m3*r3*g*cos(q2+q3)"),
    ("elbow", "U", "m2*g*r2*sin(q2) + m3*g*(l2*sin(q2) + r3*sin(q2+q3))"),
    ("elbow", "M11", "I1 + (m2*r2**2 + I2)*cos(q2)**2 + m3*(l2*cos(q2) + r3*cos(q2+q3))**2"
     " + I3*cos(q2+q3)**2"),
    ("elbow", "M23", "m3*r3**2 + I3 + m3*l2*r3*cos(q3)"),
    ("elbow", "V3", "m3*l2*r3*sin(q3)*qd2**2"
     " + (m3*(l2*cos(q2) + r3*cos(q2+q3))*r3*sin(q2+q3) + I3*cos(q2+q3)*sin(q2+q3))*qd1**2"),
    ("scara", "M11", "I1 + I2 + I3 + m1*a1**2/4 + m2*(a1**2 + a2**2/4 + a1*a2*cos(q2))"
     " + m3*(a1**2 + a2**2 + 2*a1*a2*cos(q2))"),
    ("scara", "G3", "-m3*g"),
    ("scara", "tau3", "m3*qdd3 - m3*g"),
    ("rpr", "G3", "m3*l3*g*cos(q1+q3)"),
    ("rpr", "G2", "(m2+m3)*g*sin(q1)"),
    ("rpr", "M13", "I3 + m3*l3**2 + m3*l3*q2*cos(q3)"),
]
PRINTED = ["craig-rr", "craig-rp", "craig-3r", "two-link-rods", "two-link-spong", "siciliano-rr", *ARMS]


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        for name, text in ARMS.items():
            (folder / f"{name}.yaml").write_text(f"armdyn: 1\nname: {name}\n{text}")

    def run(self, arm, *options):
        robot = str(self.folder / f"{arm}.yaml") if arm in ARMS else arm
        return subprocess.run([self.path, "equations", robot, *options], capture_output=True, text=True,
                              timeout=60, check=False)

    def printed(self, arm, what):
        """Left and right sides that `equations` prints, as of Python."""
        symbols = ["--symbols", "all"] if arm == "craig-3r" else []
        text = self.run(arm, "--what", what, *symbols).stdout
        text = text.split("\n\n")[1]
        text = re.sub(r"\n\s+", " ", text)
        for line in text.splitlines():
            left, right = line.split(" = ", 1)
            cells = [(left.replace("τ", "tau"), right)]
            if right.startswith("["):
                cells = [(f"{left}{i + 1}{j + 1}", cell) for i, row in enumerate(right.strip("[]").split(";"))
                         for j, cell in enumerate(row.split(","))]
            for name, cell in cells:
                if cell.strip() != "0":
                    yield (name, python_of(cell.strip()))

    def verdicts(self, arm, sheet, names=()):
        path = self.folder / "sheet.txt"
        path.write_text(sheet)
        found = self.run(arm, "--verify", str(path), "--json", *names)
        listed = json.loads(found.stdout)["verdicts"] if found.returncode in (0, 1) else []
        return found.returncode, [one["verdict"] for one in listed], found.stderr


def python_of(text):
    for before, after in {"q̇": "qd", "q̈": "qdd", "²": "**2", "³": "**3", "⁴": "**4"}.items():
        text = text.replace(before, after)
    text = re.sub(r"\b([sc])(\d+)\b", lambda m: {"s": "sin", "c": "cos"}[m[1]] + "("
                  + "+".join("q" + digit for digit in m[2]) + ")", text)
    return re.sub(r"(?<=[\w)]) (?=[\w(])", "*", text)


# Formulas as trees.

def tree(text):
    return ast.parse(text, mode="eval").body


def value(node, values):
    code = compile(ast.fix_missing_locations(ast.Expression(copy.deepcopy(node))), "", "eval")
    return eval(code, {"sin": math.sin, "cos": math.cos}, values)  # of the trees above alone


def names_in(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - {"sin", "cos"}


def is_same(a, b, left):
    """Tells by numbers; potential energies are the same up to a constant."""
    chance = random.Random(1)
    names = sorted(names_in(a) | names_in(b))
    differences = []
    for _ in range(4):
        values = {name: chance.uniform(0.3, 2.0) for name in names}
        constant = 0.0
        if left[0] in "Uu":
            still = {n: (0.7 if re.fullmatch(r"q\d", n) else v) for n, v in values.items()}
            constant = value(b, still) - value(a, still)
        differences.append(abs(value(b, values) - value(a, values) - constant)
                           / (abs(value(a, values)) + abs(value(b, values)) + 1e-9))
    return max(differences) < 1e-9


def mistakes(node, names, chance):
    """The tree with a mistake at one place."""
    node = copy.deepcopy(node)
    places = []
    for parent in ast.walk(node):
        for field, child in ast.iter_fields(parent):
            for k, one in enumerate(child if isinstance(child, list) else [child]):
                if isinstance(one, ast.expr) and not (isinstance(parent, ast.Call) and field == "func"):
                    places.append((parent, field, k if isinstance(child, list) else None, one))
    places.append((None, None, None, node))
    chance.shuffle(places)
    kinds = ["sign", "factor", "function", "exponent", "index", "term", "angle", "dot"]
    chance.shuffle(kinds)
    for kind in kinds:
        for parent, field, k, one in places:
            new = mistake(kind, one, parent, names, chance)
            if new is None:
                continue
            if parent is None:
                return kind, new
            if k is None:
                setattr(parent, field, new)
            else:
                getattr(parent, field)[k] = new
            return kind, node
    return "none", node


def mistake(kind, one, parent, names, chance):
    is_sum = isinstance(one, ast.BinOp) and isinstance(one.op, (ast.Add, ast.Sub))
    is_exponent = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow) and parent.right is one
    is_angle = isinstance(one, ast.BinOp) and isinstance(parent, ast.Call)
    is_name = isinstance(one, ast.Name)
    if kind == "sign" and is_sum:
        return ast.BinOp(one.left, ast.Sub() if isinstance(one.op, ast.Add) else ast.Add(), one.right)
    if kind == "sign" and isinstance(one, ast.UnaryOp):
        return one.operand
    if kind == "factor" and is_name and not isinstance(parent, ast.Call):
        return ast.BinOp(ast.Constant(2), ast.Mult(), one)
    if kind == "function" and isinstance(one, ast.Call):
        return ast.Call(tree("cos" if one.func.id == "sin" else "sin"), one.args, [])
    if kind == "exponent" and is_exponent:
        return ast.Constant(3)
    if kind == "exponent" and isinstance(one, ast.BinOp) and isinstance(one.op, ast.Pow):
        return one.left
    if kind == "index" and is_name and re.fullmatch(r"\D+\d", one.id):
        others = [n for n in names if n[:-1] == one.id[:-1] and n != one.id]
        return tree(chance.choice(sorted(others))) if others else None
    if kind == "term" and is_sum and not is_angle:
        return chance.choice([one.left, one.right])
    if kind == "angle" and is_angle:
        return one.left
    if kind == "dot" and is_name and re.fullmatch(r"qdd?\d", one.id):
        return tree("q" + one.id[2:])
    return None


# Dialects.

class Dialect:
    """Writes trees; subclasses have the notation."""
    product, is_latex, names = " ", True, ()
    angle, function_brackets, short = r"\theta", True, False

    def name(self, name, slides):
        rate = re.fullmatch(r"(q)(d*)(\d)", name)
        if rate:
            letter = "d" if rate[3] in slides and self.angle != "q" else self.angle
            dots = {"": "", "d": r"\dot", "dd": r"\ddot"}[rate[2]]
            return (dots + "{" + letter + "}_" + rate[3]) if dots else f"{letter}_{rate[3]}"
        if len(name) == 1:
            return name
        return f"{name[0]}_{name[1:]}" if len(name) == 2 else f"{name[0]}_{{{name[1:]}}}"

    def angles(self, node):
        return [n.id[1:] for n in ast.walk(node) if isinstance(n, ast.Name)]

    def call(self, node, slides):
        argument = node.args[0]
        is_sum = not isinstance(argument, ast.BinOp) or all(
            isinstance(n.op, ast.Add) for n in ast.walk(argument) if isinstance(n, ast.BinOp))
        if self.short and is_sum and not any(isinstance(n, ast.Constant) for n in ast.walk(argument)):
            digits = sorted(self.angles(argument))
            if len(set(digits)) == len(digits):
                return node.func.id[0] + ("_" + digits[0] if len(digits) == 1 else "_{" + "".join(digits) + "}")
        inside = self.write(argument, slides)
        if isinstance(argument, ast.Name) and not self.function_brackets:
            return rf"\{node.func.id} {inside}"
        return rf"\{node.func.id}({inside})"

    def power(self, base, exponent):
        return f"{base}^{exponent}" if len(exponent) == 1 else f"{base}^{{{exponent}}}"

    def quotient(self, node, slides):
        return rf"\frac{{{self.write(node.left, slides)}}}{{{self.write(node.right, slides)}}}"

    def write(self, node, slides, level=0):
        """Levels of brackets: 0 a sum, 1 a product, 2 a power's base."""
        if isinstance(node, ast.Constant):
            return str(node.value)
        if isinstance(node, ast.Name):
            return self.name(node.id, slides)
        if isinstance(node, ast.Call):
            text = self.call(node, slides)
            return f"({text})" if level == 2 and self.is_latex else text
        if isinstance(node, ast.UnaryOp):
            text = "-" + self.write(node.operand, slides, 1)
            return f"({text})" if level else text
        own = {ast.Add: 0, ast.Sub: 0, ast.Mult: 1, ast.Div: 1, ast.Pow: 2}[type(node.op)]
        if isinstance(node.op, ast.Pow):
            base, exponent = self.write(node.left, slides, 2), self.write(node.right, slides)
            if isinstance(node.left, ast.Name) and re.match("qd", node.left.id) or level < 2:
                return self.power(base, exponent)
            return f"({self.power(base, exponent)})"
        if isinstance(node.op, ast.Div):
            text = self.quotient(node, slides)
        elif isinstance(node.op, ast.Mult):
            left, right = self.write(node.left, slides, 1), self.write(node.right, slides, 1)
            needs_sign = self.is_latex and right[0].isdigit()
            text = left + (r" \cdot " if needs_sign else self.product) + right
        else:
            sign = "+" if isinstance(node.op, ast.Add) else "-"
            right = self.write(node.right, slides, 1 if sign == "-" else 0)
            text = f"{self.write(node.left, slides)} {sign} {right}"
        return f"({text})" if own < level else text

    def left(self, name):
        name = name.replace("tau", r"\tau").replace("V", "V")
        return re.sub(r"(\d+)$", r"_{\1}", name)

    def sheet(self, left, right):
        return f"\\[ {left} = {right} \\]"

    def matrix(self, left, rows):
        cells = r" \\ ".join(" & ".join(row) for row in rows)
        return f"\\[ {left} = \\begin{{bmatrix}} {cells} \\end{{bmatrix}} \\]"


class Craig(Dialect):
    short = True


class Spong(Dialect):
    angle, function_brackets = "q", False

    def left(self, name):
        return {"M": "d", "C": "c"}.get(name[0], name[0]) + f"_{{{name[1:]}}}" if name[0] in "M" else super().left(name)

    def sheet(self, left, right):
        return f"\\begin{{align*}}\n{left} &= {right}\n\\end{{align*}}"


class Siciliano(Dialect):
    angle, short = r"\vartheta", True

    def name(self, name, slides):
        return super().name(name, slides).replace("l", r"\ell ", 1) if name.startswith("l") else super().name(name, slides)

    def left(self, name):
        return {"M": "b", "G": "g"}.get(name[0], "") + f"_{{{name[1:]}}}" if name[0] in "MG" else super().left(name)


class LynchPark(Dialect):
    function_brackets = False

    def name(self, name, slides):
        return r"\mathfrak{m}" + f"_{{{name[1:]}}}" if name.startswith("m") else super().name(name, slides)


class Code(Dialect):
    product, is_latex, power_sign = "*", False, "**"
    rates = "dq{}", "ddq{}"

    def name(self, name, slides):
        rate = re.fullmatch(r"q(d+)(\d)", name)
        return self.rates[len(rate[1]) - 1].format(rate[2]) if rate else name

    def call(self, node, slides):
        return f"{self.prefix}{node.func.id}({self.write(node.args[0], slides)})"

    prefix = ""

    def power(self, base, exponent):
        return f"{base}{self.power_sign}{exponent}"

    def quotient(self, node, slides):
        return f"{self.write(node.left, slides, 1)}/{self.write(node.right, slides, 2)}"

    def left(self, name):
        return name

    def sheet(self, left, right):
        return f"{left} = {right}\n"

    def matrix(self, left, rows):
        return f"{left} = Matrix([" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "])\n"


class SymPy(Code):
    rates = "q{}dot", "q{}ddot"


class Matlab(Code):
    power_sign = "^"

    def matrix(self, left, rows):
        return f"{left} = [" + ";\n     ".join(", ".join(row) for row in rows) + "];\n"


class NumPy(Code):
    prefix = "np."

    def matrix(self, left, rows):
        return f"{left} = np.array([" + ",\n    ".join("[" + ", ".join(row) + "]" for row in rows) + "])\n"


DIALECTS = {"Craig": Craig(), "Spong": Spong(), "Siciliano": Siciliano(), "Lynch and Park": LynchPark(),
            "SymPy": SymPy(), "MATLAB": Matlab(), "NumPy": NumPy()}
SLIDES = {"craig-rp": "2", "rpr": "2", "scara": "3"}


def entry_rows(formulas, left):
    """Rows of the matrix or column of an arm whose entries have these left sides; none: not all are there."""
    size = max(int(name[1]) for name in formulas if name[0] == "M")
    if left != "M":
        cells = [[formulas.get(f"{left}{i + 1}")] for i in range(size)]
    else:
        cells = [[formulas.get(f"M{min(i, j) + 1}{max(i, j) + 1}") for j in range(size)] for i in range(size)]
    return [[tree("0") if one is None else one for one in row] for row in cells]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("program")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--right", type=int, default=60)
    arguments.add_argument("--wrong", type=int, default=200)
    asked = arguments.parse_args()
    chance = random.Random(asked.seed)
    failures, counts = [], {"right": 0, "wrong": 0}
    kinds = {}

    def compare(kind, dialect, arm, sheet, is_right, about):
        code, verdicts, message = program.verdicts(arm, sheet, DIALECTS[dialect].names)
        good = (code == 0 and verdicts and all(v in ("equal", "up-to-a-constant") for v in verdicts)
                if is_right else code == 1 and "different" in verdicts and "unread" not in verdicts)
        counts["right" if is_right else "wrong"] += 1
        kinds[kind] = kinds.get(kind, 0) + 1
        if not good:
            failures.append(f"{kind}, {dialect}, {arm}: exit {code}, {verdicts} {message}\n{sheet}\n{about}\n")

    with tempfile.TemporaryDirectory() as folder:
        program = Program(asked.program, pathlib.Path(folder))
        formulas = [(arm, left, tree(right)) for arm, left, right in BOOKS]
        by_arm = {}
        for arm in PRINTED:
            for what in ("torque", "M", "V", "G", "C", "kinetic", "potential"):
                for left, right in program.printed(arm, what):
                    by_arm.setdefault(arm, {})[left] = tree(right)
        formulas += [(arm, left, right) for arm, own in by_arm.items() for left, right in own.items()]
        names = {arm: set().union(*(names_in(right) for right in own.values())) for arm, own in by_arm.items()}

        order = chance.sample(formulas[:len(BOOKS)], len(BOOKS)) + chance.sample(formulas, len(formulas))
        for k in range(asked.right):
            arm, left, right = order[k % len(order)]
            dialect = chance.choice(list(DIALECTS))
            of = DIALECTS[dialect]
            compare("right", dialect, arm, of.sheet(of.left(left), of.write(right, SLIDES.get(arm, ""))), True, "")
        for arm, left in [(arm, left) for arm in by_arm for left in "MGV"
                          if any(name[0] == left for name in by_arm[arm])]:
            for dialect in chance.sample(list(DIALECTS), 2):
                of = DIALECTS[dialect]
                rows = [[of.write(one, SLIDES.get(arm, "")) for one in row] for row in entry_rows(by_arm[arm], left)]
                compare("right matrix", dialect, arm, of.matrix(left, rows), True, "")

        while counts["wrong"] < asked.wrong:
            dialect = chance.choice(list(DIALECTS))
            of = DIALECTS[dialect]
            if chance.random() < 0.1:  # entries of a matrix change places
                arm = chance.choice(PRINTED)
                rows = entry_rows(by_arm[arm], "M")
                i, j = chance.sample(range(len(rows)), 2)
                if is_same(rows[i][i], rows[j][j], "M"):
                    continue
                rows[i][i], rows[j][j] = rows[j][j], rows[i][i]
                written = [[of.write(one, SLIDES.get(arm, "")) for one in row] for row in rows]
                compare("swap", dialect, arm, of.matrix("M", written), False, "")
                continue
            arm, left, right = chance.choice(formulas)
            kind, wrong = mistakes(right, names[arm], chance)
            if kind == "none" or is_same(right, wrong, left):
                continue
            slides = SLIDES.get(arm, "")
            compare(kind, dialect, arm, of.sheet(of.left(left), of.write(wrong, slides)), False,
                    "right: " + of.write(right, slides))

    for failure in failures:
        print(failure)
    print(f"{counts['right']} right formulas, {counts['wrong']} wrong ones (seed {asked.seed}): "
          f"{len(failures)} failures; {kinds}")
    return 1 if failures or counts["right"] < asked.right else 0


if __name__ == "__main__":
    sys.exit(main())
