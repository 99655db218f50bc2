"""Pages of --report: what they say, that texts stay texts, how large they are, how they behave."""

import base64
import hashlib
import html.parser
import json
import re

import numpy as np
import pytest
from browser import PROGRAM, Browser
from conftest import columns

import armdyn

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
HOSTILE = """armdyn: 1
name: "<img src=x onerror=alert(1)></script>"
description: "<!--\\u202e'\\"&amp;</script><script>alert(2)</script>"
convention: modified
joints:
  - {name: lift, type: revolute, dh: {a: 0, alpha: 0, d: 0.1, theta: 0},
     mass: 2, com: [0.1, 0, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
  - {name: slide, type: prismatic, dh: {a: 0.3, alpha: pi/2, d: 0, theta: 0},
     mass: 1, com: [0, 0, 0.1], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
"""


def unpacked(numbers):
    """Numbers of a page, as its script reads them: a list, or [order, divisor, text]."""
    if len(numbers) != 3 or not isinstance(numbers[2], str):
        return numbers
    order, divisor, text = numbers
    values, differences, whole, place, before = [], [0] * (order + 1), 0, 1, 0
    for letter in text:
        digit = DIGITS.index(letter)
        whole += digit % 32 * place
        place *= 32
        if digit >= 32:
            continue
        if whole == 1:
            values.append(None)
        else:
            last = min(before, order)
            differences[last] = (1 - whole) // 2 if whole % 2 else whole // 2
            for k in range(last, 0, -1):
                differences[k - 1] += differences[k]
            values.append(differences[0] / divisor)
            before += 1
        whole, place = 0, 1
    return values


class Page(html.parser.HTMLParser):
    """Elements, their attributes, and the texts of some."""

    def __init__(self, path):
        super().__init__()
        self.elements, self.attributes, self.texts, self.within = [], [], {}, []
        self.source = path.read_text()
        self.feed(self.source)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes += [(tag, *attribute) for attribute in attrs]
        self.within.append(tag)
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        while self.within and self.within.pop() != tag:
            pass

    def handle_data(self, data):
        if self.within:
            self.texts[self.within[-1]][-1] += data

    @property
    def drawn(self):
        data = json.loads(self.texts["script"][0])
        for figure in data["figures"]:
            for curve in (curve for panel in figure["panels"] for curve in panel["curves"]):
                curve.update(x=unpacked(curve["x"]), y=unpacked(curve["y"]))
        if data["arm"]:
            data["arm"]["q"] = [[*map(unpacked, curve)] for curve in data["arm"]["q"]]
        return data

    def curve(self, panel, number=0):
        found = self.drawn["figures"][0]["panels"][panel]["curves"][number]
        return np.array(found["x"], float), np.array(found["y"], float)


def policy_of(page):
    return next(value for tag, name, value in page.attributes
                if tag == "meta" and name == "content" and value.startswith("default-src"))


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def report(shell, *arguments, **files):
    shell(*arguments, "--report", "page.html", "--quiet", **files)
    return Page(shell.folder / "page.html")


PICK = ("torque", "puma560", "puma560-pick-and-place", "-o", "t.csv")


def test_the_page_says_what_the_text_says(shell):
    page = report(shell, *PICK)
    assert page.texts["h1"] == ["puma560"]
    assert page.texts["title"] == ["puma560: joint torques, puma560-pick-and-place"]
    command = page.texts["pre"][0]
    assert command == ("$ armdyn torque puma560 puma560-pick-and-place --output t.csv --quiet "
                       "--report page.html")
    robot, motion = page.texts["dd"][1:3]
    assert robot.startswith("fnv1a64:") and motion.startswith("fnv1a64:") and robot != motion
    assert page.texts["dt"][0] == "armdyn" and page.texts["dt"][2] == "puma560-pick-and-place"
    assert {"41.53", "65.75", "6.0275", "waist", "43 %"} <= set(page.texts["td"])
    assert any("net 148.9 J" in text for text in page.texts["p"])


def test_extremes_are_in_the_curves(shell):
    page = report(shell, *PICK, "--terms")
    table = (shell.folder / "t.csv").read_text()
    (tau,) = columns(table, "tau")
    for joint in range(6):
        _, y = page.curve(joint)
        digits = 1e-5 * np.abs(tau[:, joint]).max()
        assert np.nanmax(y) == pytest.approx(tau[:, joint].max(), abs=digits)
        assert np.nanmin(y) == pytest.approx(tau[:, joint].min(), abs=digits)
    assert page.drawn["figures"][0]["panels"][0]["note"] == "limit ±97.6 N·m"


def test_only_its_own_script_and_style_are_allowed(shell):
    page = report(shell, *PICK)
    assert page.elements.count("script") == 2 and page.elements.count("style") == 1
    policy = policy_of(page)
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    advice = "src/report/page/rebuild writes the digests anew"
    assert f"'sha256-{digest(page.texts['script'][1])}'" in policy, advice
    assert f"'sha256-{digest(page.texts['style'][0])}'" in policy, advice
    names = {name for _, name, _ in page.attributes}
    assert not names & {"src", "href", "style", "srcdoc", "action"}
    assert not [name for name in names if name.startswith("on")]
    assert "Leon Sorokin" in page.source and "BSD 3-Clause" in page.source


def test_names_and_cells_stay_texts(shell):
    (shell.folder / "arm.yaml").write_text(HOSTILE)
    (shell.folder / "<b>&'\".csv").write_text("t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n"
                                              "1,1,0.1,1,0,0,0\n")
    page = report(shell, "torque", "arm.yaml", "<b>&'\".csv", "-o", "t.csv")
    assert page.texts["h1"] == ["<img src=x onerror=alert(1)></script>"]
    assert page.drawn["figures"][0]["title"].startswith("<img src=x onerror=alert(1)></script>: ")
    assert "<b>&'\".csv" in page.texts["dt"]
    assert not {"img", "b"} & set(page.elements)
    assert page.elements.count("script") == 2

    shell("check", "arm.yaml", "--report", "page.html")
    page = Page(shell.folder / "page.html")
    assert any("<!--\\u202e'\"&amp;</script><script>" in text for text in page.texts["p"])
    assert page.elements.count("script") == 2 and "\u202e" not in page.source

    joint = "</script><script>alert(3)</script>"
    (shell.folder / "arm.yaml").write_text(HOSTILE.replace("lift", joint))
    page = report(shell, "check", "arm.yaml", codes=(1,))
    assert any(joint in text for text in page.texts["pre"] + page.texts.get("p", []))
    assert page.elements.count("script") == 2


def test_a_hundred_thousand_rows_fit_400_kB(shell):
    shell("trajectory", "puma560", "--from", "0,0,0,0,0,0", "--to", "1,1,-1,1,1,1", "--duration",
          "10", "--rate", "10000", "-o", "m.csv", "--quiet")
    page = report(shell, "torque", "puma560", "m.csv", "-o", "t.npy", "--terms")
    assert len(page.source.encode()) < 400_000
    x, _ = page.curve(1)
    assert x[0] == 0 and x[-1] == 10 and 190 < len(x) <= 380


@pytest.mark.parametrize("name, joints, rows, kept", [
    ("ur5e", 6, 2001, 1000), ("motoman-sia10", 7, 100_000, 500), ("chain", 20, 2001, 100)])
def test_a_page_with_sliders_fits_400_kB(shell, random, name, joints, rows, kept):
    """A log of six decimals with noise, in which every row differs from the one before."""
    joint = "  - {type: revolute, dh: {a: 0.2, alpha: 0, d: 0, theta: 0}, mass: 1, com: [0.1, 0, 0]}\n"
    (shell.folder / "chain").write_text("armdyn: 1\nname: chain\nconvention: modified\njoints:\n"
                                        + joints * joint)
    t = np.arange(rows) / 500
    motion = np.sin(np.outer(t, np.linspace(1, 2, 3 * joints))) + random.normal(0, 1e-3, (rows, 3 * joints))
    head = ",".join(["t", *(f"{x}{i + 1}" for x in ("q", "qd", "qdd") for i in range(joints))])
    np.savetxt(shell.folder / "log.csv", np.column_stack([t, motion]), "%.6f", ",", header=head, comments="")
    page = report(shell, "torque", name, "log.csv", "-o", "t.csv")
    assert len(page.source.encode()) < 400_000
    assert len(unpacked(page.drawn["adjustable"]["rows"][0])) >= kept
    assert page.drawn["adjustable"]["count"] == rows
    (tau,) = columns((shell.folder / "t.csv").read_text(), "tau")
    peaks = np.abs(Formulas(page).tau).max(axis=0)
    np.testing.assert_allclose(peaks, np.abs(tau).max(axis=0), rtol=1e-12)


def test_the_arm_moves_along_a_motion_that_is_inspected(shell):
    arguments = ("inspect", "puma560", "puma560-pick-and-place", "--what", "T", "-o", "T.csv")
    t, q = report(shell, *arguments).drawn["arm"]["q"][1]
    assert t[0] == 0 and t[-1] == 7 and max(q) == pytest.approx(1.491134, abs=1e-5)
    gap = ("q1,q2,qd1,qd2,t\n" + "".join(f"{k},0,0,0,{k}\n" for k in (*range(9), *range(90, 99))))
    (shell.folder / "gap.csv").write_text(gap)
    drawn = report(shell, "inspect", "craig-rr", "gap.csv", "--what", "T", "--gaps", "skip",
                   "-o", "T.csv").drawn
    assert None in drawn["arm"]["q"][0][1]


def test_the_arm_of_the_page_is_the_arm(shell, random):
    """The frames that the page's numbers make are those of tcp_pose."""
    for name in ("puma560", "stanford", "craig-rr", "ur5e"):
        arm = report(shell, "check", name).drawn["arm"]
        robot = armdyn.Robot(name)
        q = random.uniform(-1, 1, robot.dof)
        pose = np.eye(4)

        def then(R, p):
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = R, p
            return pose @ T

        pose = then(arm["base"]["R"], arm["base"]["p"])
        for link, q_i in zip(arm["links"], q):
            (ca, sa), (c0, s0) = link["alpha"], link["theta"]
            angle, z = (q_i, link["d"]) if link["turns"] else (0, link["d"] + q_i)
            c, s = c0 * np.cos(angle) - s0 * np.sin(angle), s0 * np.cos(angle) + c0 * np.sin(angle)
            pose = then([[c, -s, 0], [s * ca, c * ca, -sa], [s * sa, c * sa, ca]],
                        [link["a"], -sa * z, ca * z])
        pose = then(arm["tool"]["R"], arm["tool"]["p"])
        np.testing.assert_allclose(pose, robot.tcp_pose(q), atol=1e-12)


class Formulas:
    """The formulas by which a page computes torques anew, in NumPy."""

    OF_TWO = {2: np.add, 3: np.subtract, 4: np.multiply, 5: np.divide}
    OF_ONE = {6: np.sin, 7: np.cos, 9: np.sign}

    def __init__(self, page):
        self.data = page.drawn["adjustable"]
        self.n = len(self.data["joints"])
        rows = np.array([*map(unpacked, self.data["rows"])])
        self.t, self.motion, self.tau = rows[0], rows[1:1 + 3 * self.n], rows[1 + 3 * self.n:].T
        self.numbers = [*self.data["gravity"], *self.data["payload"],
                        *(body["mass"] for body in self.data["bodies"])]

    def torque(self, numbers=None, speed=1.0, friction=1.0):
        scales = np.repeat([1, speed, speed**2], self.n)[:, None]
        inputs = [*(scales * self.motion), *(self.numbers if numbers is None else numbers)]
        values = []
        for operation, left, right in np.reshape(self.data["steps"], (-1, 3)):
            if operation == 0:
                value = self.data["constants"][left]
            elif operation == 1:
                value = inputs[left]
            elif operation == 8:
                value = np.exp(-values[left] if right else values[left])
            elif operation in self.OF_TWO:
                value = self.OF_TWO[operation](values[left], values[right])
            else:
                value = self.OF_ONE[operation](values[left])
            values.append(value)
        links, losses, rotors = (
            np.array([factor * values[step] * np.ones(len(self.t)) for step, factor in part]).T
            for part in np.reshape(np.array(self.data["results"], object), (3, self.n, 2)))
        return links + friction * losses + rotors


@pytest.mark.parametrize("name", ["puma560", "ur5e", "stanford", "craig-rr", "staubli-tx40",
                                  "motoman-sia10"])
def test_formulas_of_a_page_are_torques_of_other_robots(shell, random, name):
    robot = armdyn.Robot(name)
    n, rows = robot.dof, 50
    q, qd, qdd = (random.uniform(-1, 1, (rows, n)) for _ in range(3))
    t = np.arange(rows) / 10
    motion = "\n".join(",".join(map(repr, map(float, row))) for row in np.column_stack([t, q, qd, qdd]))
    head = ",".join(["t", *(f"{x}{i + 1}" for x in ("q", "qd", "qdd") for i in range(n))])
    (shell.folder / "m.csv").write_text(f"{head}\n{motion}\n")
    page = Formulas(report(shell, "torque", name, "m.csv", "-o", "t.csv"))

    def assert_equal(found, expected):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())

    assert_equal(page.tau, robot.torque(q, qd, qdd))
    assert_equal(page.torque(), page.tau)
    assert_equal(page.torque(speed=1.7), robot.torque(q, 1.7 * qd, 1.7**2 * qdd))
    changed = page.numbers.copy()
    changed[:7] = [2.0, -3.0, 5.0, 1.5, 0.05, -0.02, 0.1]
    other = robot.with_(gravity=[2.0, -3.0, 5.0], payload=[1.5, 0.05, -0.02, 0.1])
    assert_equal(page.torque(changed), other.torque(q, qd, qdd))
    if name == "craig-rr":
        changed[-1] += 0.7
        heavier = other.with_(set={"m2": changed[-1]})
        assert_equal(page.torque(changed), heavier.torque(q, qd, qdd))
    assert_equal(page.torque(friction=0), robot.with_(without="friction").torque(q, qd, qdd))


@pytest.mark.parametrize("name", ["five-bar-spong", "palletizer", "dual-arm-planar", "scara-quill",
                                  "balanced-link", "ur5-screws"])
def test_formulas_of_a_page_are_torques_of_other_mechanisms(shell, random, name):
    n, rows = armdyn.Robot(name).dof, 20
    q, qd, qdd = (random.uniform(-1, 1, (rows, n)) for _ in range(3))
    head = ",".join(["t", *(f"{x}{i + 1}" for x in ("q", "qd", "qdd") for i in range(n))])
    np.savetxt(shell.folder / "m.csv", np.column_stack([np.arange(rows), q, qd, qdd]), "%.17g", ",",
               header=head, comments="")
    page = Formulas(report(shell, "inspect", name, "m.csv", "--what", "T", "-o", "T.csv"))
    shell("robots", "copy", name, "other.yaml")
    text = (shell.folder / "other.yaml").read_text()
    gravity, mass, com, *masses = [2.0, -3.0, 5.0], 1.5, [0.05, -0.02, 0.1], *random.uniform(
        1, 5, len(page.data["bodies"]))
    for body, value in zip(page.data["bodies"], masses):
        text, found = re.subn(rf'(name: "?{body["name"]}"?\b.*\n(?:.*\n)*? +mass: )\S+', rf"\g<1>{value}",
                              text, count=1)
        assert found
    payload, field = r"(payload:\n(?:.*\n)*? +", r"\g<1>"
    if "payload:" in text:
        text = re.sub(payload + r"mass: ).*", f"{field}{mass}", text)
        text = re.sub(payload + r"com: ).*", f"{field}{com}", text)
    else:
        text += f"\npayload: {{mass: {mass}, com: {com}}}\n"
    text = re.sub("gravity: .*\n", "", text) + f"\ngravity: {gravity}\n"
    (shell.folder / "other.yaml").write_text(text)
    own, other = (armdyn.Robot(which) for which in (name, str(shell.folder / "other.yaml")))
    for found, robot, speed in (
            (page.torque(), own, 1), (page.torque(speed=1.7), own, 1.7),
            (page.torque([*gravity, mass, *com, *masses]), other, 1)):
        expected = robot.torque(q, speed * qd, speed**2 * qdd)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_a_changed_payload_has_the_torques_of_the_program(shell, browser):
    shell("trajectory", "ur5e", "--from", "0,-90,90,-90,-90,0 deg", "--to",
          "120,-60,60,-90,-90,90 deg", "--duration", "2", "-o", "move.csv", "--quiet")
    report(shell, "torque", "ur5e", "move.csv", "-o", "t.csv")
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    assert float(browser.ask("document.querySelector('#adjust').dataset.error")) < 1e-12
    browser.ask("(() => { const input = document.querySelector('#adjust input[type=number]'); "
                "input.value = 2; input.oninput(); })()")
    browser.ask("new Promise(done => setTimeout(done, 200))")
    shown = [numbers(text)[0] for text in browser.ask(
        "[...document.querySelectorAll('#adjust td:nth-child(2)')].map(cell => cell.textContent)")]
    shell("torque", "ur5e", "move.csv", "-o", "heavy.csv", "--payload", "2", "--quiet")
    (tau,) = columns((shell.folder / "heavy.csv").read_text(), "tau")
    np.testing.assert_allclose(shown, np.abs(tau).max(axis=0), rtol=1e-4)
    assert "payload mass 2 kg (0)" in browser.ask("document.querySelector('#adjust output').textContent")
    # The same by keyboard, and back.
    browser.ask("document.querySelector('#adjust input[type=range]').focus()")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="ArrowRight", code="ArrowRight",
                 windowsVirtualKeyCode=39)
    browser.ask("new Promise(done => setTimeout(done, 200))")
    assert "payload mass 2 kg" not in browser.ask("document.querySelector('#adjust output').textContent")
    browser.ask("document.querySelector('#adjust button').click()")
    browser.ask("new Promise(done => setTimeout(done, 200))")
    assert browser.ask("document.querySelector('#adjust output').textContent") == "As in the file"
    assert browser.complaints() == []


def shown_torques(browser):
    return [numbers(text)[0] for text in browser.ask(
        "[...document.querySelectorAll('#adjust td:nth-child(2)')].map(cell => cell.textContent)")]


def turn_knob(browser, label, value):
    """Types a number beside a slider."""
    browser.ask(f"""(() => {{
      const knob = [...document.querySelectorAll('.knob')].find(({{ firstChild }}) =>
        firstChild.textContent === {json.dumps(label)});
      const input = knob.querySelector('[type=number]');
      input.value = {value};
      input.oninput();
    }})()""")
    browser.ask("new Promise(done => setTimeout(done, 200))")


def test_a_state_of_the_page_has_the_torques_of_the_program(shell, browser):
    report(shell, "inspect", "ur5e", "--q", "0,-90,90,-90,-90,0 deg")
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    assert float(browser.ask("document.querySelector('#adjust').dataset.error")) < 1e-12
    before = browser.ask("document.querySelector('#arm output').textContent")
    turn_knob(browser, "elbow", 40)
    turn_knob(browser, "payload mass", 3)
    robot = armdyn.Robot("ur5e").with_(payload=[3, 0, 0, 0])
    q = np.radians([0, -90, 40, -90, -90, 0])
    tau = robot.torque(q, np.zeros(6), np.zeros(6))
    np.testing.assert_allclose(shown_torques(browser), tau, rtol=1e-4, atol=1e-9)
    tcp = browser.ask("document.querySelector('#arm output').textContent")
    assert tcp != before
    np.testing.assert_allclose(numbers(tcp), robot.tcp_pose(q)[:3, 3], atol=1e-4)
    browser.ask("document.querySelector('#adjust button').click()")
    browser.ask("new Promise(done => setTimeout(done, 200))")
    assert browser.ask("document.querySelector('#arm output').textContent") == before
    assert browser.complaints() == []


def test_another_pose_at_the_end_is_another_trajectory(shell, browser):
    ends = ("--from", "0,-90,90,-90,-90,0 deg", "--duration", "2", "--rate", "1000")
    page = report(shell, "trajectory", "ur5e", *ends, "--to", "120,-60,60,-90,-90,90 deg", "-o", "a.csv")
    assert len(page.source) < 220_000 and len(unpacked(page.drawn["adjustable"]["rows"][0])) == 2001
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    turn_knob(browser, "elbow to", 10)
    turn_knob(browser, "wrist_1 to", -50)
    shell("trajectory", "ur5e", *ends, "--to", "120,-60,10,-50,-90,90 deg", "-o", "b.csv", "--quiet")
    shell("torque", "ur5e", "b.csv", "-o", "t.csv", "--quiet")
    (tau,) = columns((shell.folder / "t.csv").read_text(), "tau")
    np.testing.assert_allclose(shown_torques(browser), np.abs(tau).max(axis=0), rtol=1e-4, atol=1e-6)
    assert browser.complaints() == []


def test_motors_follow_the_sliders(shell, browser):
    shell("trajectory", "scara-quill", "--from", "0,0,0", "--to", "1.2,-0.8,30", "--duration", "1",
          "-o", "m.csv", "--quiet")
    report(shell, "size", "scara-quill", "m.csv", codes=(0, 1))
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    turn_knob(browser, "payload mass", 3)
    robot = shell("robots", "show", "scara-quill")
    (shell.folder / "heavier.yaml").write_text(re.sub(r"(payload:\s*mass: )\S+", r"\g<1>3", robot))
    heavier = json.loads(shell("size", "heavier.yaml", "m.csv", "--json", codes=(0, 1)))
    cells = browser.ask("[...document.querySelectorAll('#adjust tr')].slice(1).map("
                        "row => [...row.children].slice(-2).map(cell => cell.textContent))")
    ratings = {"j1": (1.4, 0.45), "j2": (0.5, 0.16), "quill": (0.5, 0.16)}
    for joint, shares in zip(heavier["joints"], cells):
        peak, continuous = ratings[joint["name"]]
        assert numbers(shares[0])[0] == pytest.approx(100 * joint["motor_peak"] / peak, abs=0.51)
        assert numbers(shares[1])[0] == pytest.approx(100 * joint["motor_rms"] / continuous, abs=0.51)
    # Over time the curve has the motor's peak; over speed it is drawn, too.
    drawn = browser.ask("""(() => {
      const boxes = [...document.querySelectorAll('.plot')].slice(0, 2);
      boxes[0].scrollIntoView();
      return new Promise(done => setTimeout(() => done(boxes.map(
        box => box.querySelector('.u-legend tr.changed').className)), 300));
    })()""")
    assert len(drawn) == 2 and not any("u-off" in of_legend for of_legend in drawn)
    assert browser.complaints() == []


def test_a_page_names_motors_that_stay(shell, browser):
    shell("trajectory", "staubli-tx40", "--from", "0,0,0,0,0,0", "--to", "1,0.5,0.5,1,0.5,1", "--duration", "4",
          "--rate", "1000", "-o", "m.csv", "--quiet")
    report(shell, "size", "staubli-tx40", "m.csv")
    browser.open(shell.folder / "page.html")
    text = browser.ask("document.querySelector('.check').textContent")
    assert re.search(r"The motors of J5, J6 stay as they are", text), text  # they turn together
    assert re.search(r"It has \d+ of 4001 rows", text), text


def test_a_slider_draws_once_what_the_screen_shows(shell, browser):
    """So that a change takes less than a frame: each canvas in sight once, no other, no new element."""
    report(shell, *PICK)
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    turn_knob(browser, "payload mass", 1)
    browser.ask("""(() => {
      window.work = { join: 0, style: 0, elements: 0, drawn: new Map() };
      const { prototype } = CanvasRenderingContext2D, clear = prototype.clearRect;
      prototype.clearRect = function (...box) {
        work.drawn.set(this.canvas, 1 + (work.drawn.get(this.canvas) ?? 0));
        clear.apply(this, box);
      };
      for (const [owner, name, count] of [[uPlot, 'join', 'join'], [window, 'getComputedStyle', 'style']]) {
        const own = owner[name];
        owner[name] = (...of) => { ++work[count]; return own(...of); };
      }
      new MutationObserver(found => found.forEach(({ addedNodes }) =>
        work.elements += [...addedNodes].filter(({ nodeType }) => nodeType === 1).length))
        .observe(document.body, { childList: true, subtree: true });
    })()""")
    turn_knob(browser, "payload mass", 2)
    assert browser.ask("[work.join, work.style, work.elements]") == [0, 0, 0]
    times, hidden, plots = browser.ask("""(() => {
      const isSeen = canvas => {
        const { top, bottom } = canvas.closest('.plot, #arm').getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      };
      return [[...work.drawn.values()], [...work.drawn.keys()].filter(canvas => !isSeen(canvas)).length,
              document.querySelectorAll('.plot').length]; })()""")
    assert hidden == 0 and set(times) == {1} and 1 < len(times) < plots
    # What comes into sight is drawn with the numbers of now.
    curves = "[...document.querySelectorAll('.plot:last-child .u-legend tr.changed')].map(row => row.className)"
    assert all("u-off" in name for name in browser.ask(curves))
    browser.ask("document.querySelector('.plot:last-child').scrollIntoView()")
    browser.ask("new Promise(done => setTimeout(done, 300))")
    assert not any("u-off" in name for name in browser.ask(curves)[-1:])


def test_a_long_cycle_keeps_its_peaks_and_rms(shell, browser):
    """Of pages that have every second row, or fewer."""
    shell("trajectory", "craig-rr", "--from", "0,0", "--to", "1,-2", "--duration", "2", "--rate",
          "9000", "-o", "c.csv", "--quiet")
    for verb in ("torque", "size"):
        report(shell, verb, "craig-rr", "c.csv", *(("-o", "t.csv") if verb == "torque" else ()))
        (tau,) = columns((shell.folder / "t.csv").read_text(), "tau")
        browser.open(shell.folder / "page.html")
        cells = browser.ask("[...document.querySelectorAll('#adjust td')].map(cell => cell.textContent)")
        rows = np.reshape(cells, (2, -1))
        assert [numbers(cell)[0] for cell in rows[:, 2]] == pytest.approx(np.abs(tau).max(axis=0), rel=1e-4)
        rms = np.sqrt(((tau[1:]**2 + tau[:-1]**2) / 2).mean(axis=0))
        assert [numbers(cell)[0] for cell in rows[:, 4]] == pytest.approx(rms, rel=1e-4)


def test_a_page_has_the_colors_of_the_picture(shell):
    page = report(shell, *PICK, "--terms", "--plot", "t.svg")
    picture = (shell.folder / "t.svg").read_text()
    for style in page.drawn["styles"][:6]:
        red, green, blue = (int(style["color"][k:k + 2], 16) for k in (1, 3, 5))
        color = "black" if style["color"] == "#000000" else f"rgb({red:3}, {green:3}, {blue:3})"
        assert color in picture, color


def test_a_page_has_no_folder_and_no_hint_for_a_terminal(shell):
    shell("torque", "puma560", "puma560-pick-and-place", "-o", "log.csv", "--keep-motion", "--quiet")
    for arguments in (("check", "puma560"), ("inspect", "puma560"), ("identify", "puma560", "log.csv")):
        page = report(shell, *arguments, codes=(0, 1))
        assert page.texts["dt"][1] == "puma560.yaml"
        assert "/puma560.yaml" not in page.source and "-o FILE" not in page.source
        assert "--all shows" not in page.source


def test_the_verdict_stands_above_the_plots(shell):
    shell("torque", "puma560", "puma560-pick-and-place", "-o", "log.csv", "--keep-motion", "--quiet")
    source = report(shell, "identify", "puma560", "log.csv", codes=(0, 1)).source
    assert source.index("<p>puma560: ") < source.index('<section id="plots">')


def test_matrices_are_tables(shell):
    page = report(shell, "inspect", "stanford", "--all")
    assert page.texts["pre"][1:-1] == []  # beside the command and the license
    assert {"J: Jacobian of the tool point, axes of {0}; m/s and rad/s for each unit of qd"} <= set(page.texts["h3"])


def test_the_arm_of_a_comparison_moves(shell):
    drawn = report(shell, "compare", "puma560", "puma560-pick-and-place").drawn
    t, q = drawn["arm"]["q"][1]
    assert t[0] == 0 and t[-1] == 7 and max(q) == pytest.approx(1.491134, abs=1e-5)
    assert len(report(shell, "compare", "puma560").drawn["arm"]["q"][1][0]) == 1


def test_differences_of_any_size_have_ticks(shell, browser):
    report(shell, "compare", "puma560", "puma560-pick-and-place")
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    assert sum(bool(re.search(r"e-(18|19|20)$", text)) for text in written_on_canvases(browser)) > 3


def test_another_ending_or_a_run_that_fails_leaves_no_page(shell):
    shell(*PICK, "--report", "page.txt", codes=(2,))
    shell("torque", "puma560", "puma560-pick-and-place", "--report", "none/page.html", codes=(4,))
    (shell.folder / "m.csv").write_text("q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,bad\n")
    shell("torque", "craig-rr", "m.csv", "--report", "page.html", codes=(3,))
    assert not list(shell.folder.glob("page*"))


def pages_of_all_verbs(shell):
    """Name and page of a report of each verb."""
    shell("torque", "puma560", "puma560-pick-and-place", "-o", "log.csv", "--keep-motion", "--quiet")
    rate = ("--duration", "2", "--rate", "100")
    runs = {
        "torque": (*PICK, "--terms"),
        "trajectory": ("trajectory", "ur5e", "--from", "0,-1,1,0,1,0", "--to", "1,-1,1,0,1,0", *rate,
                       "-o", "m.csv"),
        "simulate": ("simulate", "craig-rr", "--duration", "1", "-o", "s.csv"),
        "track": ("track", "craig-rr", "rr.csv", "-o", "k.csv"),
        "compare": ("compare", "craig-rr", "rr.csv"),
        "inspect": ("inspect", "stanford", "--all"),
        "inspect MECHANISM": ("inspect", "five-bar-spong"),
        "inspect MOTION": ("inspect", "craig-rr", "rr.csv", "--what", "T", "-o", "T.csv"),
        "check": ("check", "puma560"),
        "vary": ("vary", "craig-rr", "rr.csv", "--uncertainty", "mass=5%", "--samples", "16"),
        "size": ("size", "craig-rr", "rr.csv"),
        "identify": ("identify", "puma560", "log.csv"),
        "convert": ("convert", "ur5e", "-o", "ur5e.urdf"),
        "robots": ("robots",),
        "simulate --batch": ("simulate", "craig-rr", "--batch", "states.csv", "--duration", "0.2",
                             "-o", "b.csv"),
        "join": ("join", "parts.csv"),
        "equations": ("equations", "two-link-rods", "--what", "lagrangian", "-o", "e.txt"),
    }
    shell("trajectory", "craig-rr", "--from", "0,0", "--to", "1,1", *rate, "-o", "rr.csv", "--quiet")
    (shell.folder / "states.csv").write_text("q1,q2\n0,0\n1,0.5\n")
    for part in ("1/2", "2/2"):
        shell("torque", "craig-rr", "rr.csv", "--part", part, "-o", "parts.csv", "--quiet")
    for verb, arguments in runs.items():
        page = report(shell, *arguments, codes=(0, 1))
        yield verb, page


def test_every_verb_has_a_page(shell):
    for verb, page in pages_of_all_verbs(shell):
        assert page.texts["pre"][0].startswith(f"$ armdyn {verb.split()[0]} ")
        drawn = page.drawn
        assert bool(drawn["arm"]) == (verb not in ("robots", "join")), verb
        has_figure = not verb.startswith(("inspect", "check", "equations", "convert", "robots", "join",
                                          "simulate --batch"))
        assert bool(drawn["figures"]) == has_figure, verb
        if verb in ("torque", "trajectory", "simulate", "track", "vary", "size"):
            assert len(drawn["arm"]["q"][0][0]) > 1, verb
        assert len(page.source) < 400_000, verb


@pytest.fixture(scope="module")
def browser():
    if not PROGRAM:
        pytest.skip("chromium is missing: no page is opened")
    opened = Browser()
    yield opened
    opened.close()


def test_every_page_opens_without_a_complaint(shell, browser):
    for verb, _ in pages_of_all_verbs(shell):
        browser.open(shell.folder / "page.html")
        for width, scheme in ((1280, "light"), (400, "dark")):
            browser.show(width, 900, scheme)
            room = browser.ask("document.documentElement.scrollWidth - innerWidth")
            assert room <= 0, (verb, width)
        assert browser.complaints() == [], verb


def test_equations_are_formulas(shell, browser):
    page = report(shell, "equations", "craig-rr", "--what", "V", "-o", "V.txt", "--q", "0.3,0.7",
                  "--qd", "1,2")
    rows = [text for text in page.texts["p"] + page.texts["pre"] if "V2" in text]
    assert rows and "V2 = 0.3704" in rows[0], rows
    browser.open(shell.folder / "page.html")
    shown = browser.ask("[...document.querySelectorAll('math mtr')].map(row => row.textContent)")
    assert shown[1] == "V2=m2l1l2s2q˙12", shown
    raised = browser.ask("(() => { const [l, power] = [...document.querySelectorAll('msubsup')][0]"
                         ".children; return power.getBoundingClientRect().bottom"
                         " < l.getBoundingClientRect().top; })()")
    assert raised is False
    assert browser.complaints() == []


def test_a_hostile_name_runs_nothing(shell, browser):
    (shell.folder / "arm.yaml").write_text(HOSTILE)
    report(shell, "check", "arm.yaml")
    browser.open(shell.folder / "page.html")
    assert browser.ask("document.querySelector('h1').textContent").startswith("<img")
    assert browser.ask("document.querySelectorAll('img').length") == 0
    assert browser.complaints() == []


def test_long_names_stay_within_the_page(shell, browser):
    (shell.folder / "arm.yaml").write_text(HOSTILE.replace("<img src=x onerror=alert(1)></script>",
                                                           190 * "x").replace("lift", 190 * "y"))
    (shell.folder / "m.csv").write_text("t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,1,0,1,0,0,0\n")
    shell("torque", "arm.yaml", "m.csv", "-o", "t.csv", "--report", "page.html")
    browser.open(shell.folder / "page.html")
    browser.show(900, 900)
    assert browser.ask("document.documentElement.scrollWidth - innerWidth") <= 0


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def test_the_arm_and_the_plots_show_one_moment(shell, browser):
    shell("torque", "puma560", "puma560-pick-and-place", "-o", "t.csv", "--keep-motion", "--report",
          "page.html", "--quiet")
    t, q, tau = columns((shell.folder / "t.csv").read_text(), "t", "q", "tau")
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    browser.point(".u-over", 1, 0.34)
    shown, value = numbers(browser.ask(
        "[...document.querySelectorAll('.u-legend')[1].querySelectorAll('.u-value')]"
        ".map(cell => cell.textContent).join(' ')"))
    row = np.abs(t - shown).argmin()
    assert t[row] == pytest.approx(shown, abs=1e-4)
    assert value == pytest.approx(tau[row, 1], rel=1e-4)
    other = numbers(browser.ask("document.querySelectorAll('.u-legend')[4]"
                                ".querySelector('.u-value').textContent"))
    assert other[0] == pytest.approx(shown, abs=0.02)

    moment, *tcp = numbers(browser.ask("document.querySelector('#arm output').textContent"))
    near = [np.interp(moment, t, q[:, joint]) for joint in range(6)]
    np.testing.assert_allclose(tcp, armdyn.Robot("puma560").tcp_pose(near)[:3, 3], atol=2e-3)

    canvas = "document.querySelector('#arm canvas')"
    before = browser.ask(f"{canvas}.toDataURL()")
    browser.ask("document.querySelector('#arm button').click()")
    browser.ask("new Promise(done => setTimeout(done, 400))")
    assert browser.ask(f"{canvas}.toDataURL()") != before
    browser.ask("document.querySelector('#arm button').click()")
    before = browser.ask(f"{canvas}.toDataURL()")
    browser.ask(f"{canvas}.focus()")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="ArrowLeft")
    assert browser.ask(f"{canvas}.toDataURL()") != before
    assert browser.complaints() == []


def draw_anew(browser, record):
    """Draws a page in another size, where a script has made canvases record what is drawn."""
    browser.ask(record + "; 0")
    browser.show(1100, 900)
    browser.ask("new Promise(done => setTimeout(done, 300))")


def written_on_canvases(browser):
    """Texts of ticks and axes, drawn anew in another size."""
    draw_anew(browser, "window.drawn = []; "
              "CanvasRenderingContext2D.prototype.fillText = text => { drawn.push(text); }")
    return browser.ask("drawn.join('|')").split("|")


def test_late_times_have_the_digits_that_tell_them_apart(shell, browser):
    """Of a controller whose clock runs for days."""
    rows = "".join(f"{123456.789 + 0.005 * k},{k},0,0,0,0,0\n" for k in range(401))
    (shell.folder / "late.csv").write_text("t,q1,q2,qd1,qd2,qdd1,qdd2\n" + rows)
    report(shell, "torque", "craig-rr", "late.csv", "-o", "t.csv")
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    browser.point(".u-over", 0, 0.34)
    for place in ("'.u-legend .u-value'", "'#arm output'"):
        shown = numbers(browser.ask(f"document.querySelector({place}).textContent"))[0]
        assert shown == pytest.approx(123456.789 + 0.34 * 2.0, abs=0.01)
    assert "123457.4" in written_on_canvases(browser)


def test_enormous_and_tiny_numbers_are_written_by_powers_of_ten(shell, browser):
    for power in (5, 12):
        rows = "".join(f"{1e-7 * k},0,0,0,0,0,{k - 50}e{power}\n" for k in range(101))
        (shell.folder / "large.csv").write_text("t,q1,q2,qd1,qd2,qdd1,qdd2\n" + rows)
        report(shell, "torque", "craig-rr", "large.csv", "-o", "t.csv")
        browser.open(shell.folder / "page.html")
        browser.show(1280, 900)
        texts = written_on_canvases(browser)
        assert "1e-5" in texts and f"5e+{power + 1}" in texts, texts
        assert all(len(text) < 9 for text in texts), texts


def test_plots_of_one_time_show_all_of_it_and_others_their_own(shell, browser):
    shell("compare", "puma560", "--processors", 4, "--report", "page.html")
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    assert written_on_canvases(browser).count("2000") == 3
    joint = ("  - {{type: prismatic, dh: {{a: 0, alpha: 0, d: 0, theta: 0}}, mass: 5,\n"
             "     motor: {{gear_ratio: 50, continuous_torque: 2, max_speed: {}}}}}\n")
    (shell.folder / "two.yaml").write_text("armdyn: 1\nname: two\nconvention: modified\njoints:\n"
                                           + joint.format(900) + joint.format(90))
    shell("trajectory", "two.yaml", "--from", "0,0", "--to", "1,1", "--duration", 2, "-o", "c.csv")
    shell("size", "two.yaml", "c.csv", "--report", "page.html")
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    texts = written_on_canvases(browser)
    assert "750" in texts and "75" in texts, texts


def test_curves_fall_where_two_points_have_one_x(shell, browser):
    """The continuous torque of a motor, at its largest speed."""
    (shell.folder / "cart.yaml").write_text(
        "armdyn: 1\nname: cart\nconvention: modified\njoints:\n"
        "  - {type: prismatic, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 5,\n"
        "     motor: {gear_ratio: 500, continuous_torque: 0.2, max_speed: 600}}\n")
    shell("trajectory", "cart.yaml", "--from", 0, "--to", 0.4, "--limits", "0.8,3", "-o", "c.csv")
    shell("size", "cart.yaml", "c.csv", "--report", "page.html")
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    draw_anew(browser, "window.paths = new Map(); const to = Path2D.prototype.lineTo; "
              "Path2D.prototype.lineTo = function (x, y) { "
              "paths.set(this, [...paths.get(this) ?? [], [x, y]]); to.call(this, x, y); }")
    paths = json.loads(browser.ask("JSON.stringify([...paths.values()])"))
    assert any(abs(a[0] - b[0]) < 2 and abs(a[1] - b[1]) > 20
               for path in paths for a, b in zip(path, path[1:]))


def test_a_cycle_in_torque_over_speed_is_a_line(shell, browser):
    """There and back, so that it has speeds of the motor four times, in the order of time."""
    (shell.folder / "lift.yaml").write_text(
        "armdyn: 1\nname: lift\nconvention: modified\njoints:\n"
        "  - {type: prismatic, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 5,\n"
        "     friction: {viscous: 20}, motor: {gear_ratio: 500}}\n")
    (shell.folder / "via.csv").write_text("q1,dwell\n0,0\n0.4,0.1\n0,0\n")
    shell("trajectory", "lift.yaml", "--via", "via.csv", "--limits", "0.8,3", "-o", "c.csv")
    cycle, rms = report(shell, "size", "lift.yaml", "c.csv").drawn["figures"][0]["panels"][0]["curves"]
    t, qd = columns((shell.folder / "c.csv").read_text(), "t", "qd")
    np.testing.assert_allclose(cycle["x"], 500 * np.abs(qd[:, 0]), atol=1e-3)
    assert 0 < rms["x"][0] < max(cycle["x"])
    speed = 500 * np.abs(qd[:, 0])
    mean = ((speed[1:] + speed[:-1]) / 2 * np.diff(t)).sum() / t[-1]
    assert rms["x"][0] == pytest.approx(mean, rel=1e-3)
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    draw_anew(browser, "window.lines = 0; const { prototype } = CanvasRenderingContext2D; "
              "const to = prototype.lineTo; "
              "prototype.lineTo = function (...at) { ++lines; to.apply(this, at); }")
    assert browser.ask("lines") >= len(cycle["x"]) - 1


def test_what_was_computed_is_drawn_above_what_was_measured(shell, browser):
    shell("torque", "puma560", "puma560-pick-and-place", "--keep-motion", "-o", "log.csv")
    page = report(shell, "torque", "puma560", "log.csv", "-o", "t.csv")
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    draw_anew(browser, "window.strokes = []; "
              "const stroke = CanvasRenderingContext2D.prototype.stroke; "
              "CanvasRenderingContext2D.prototype.stroke = function (...path) { "
              "if (path.length) strokes.push(this.strokeStyle); stroke.apply(this, path); }")
    computed = browser.ask("getComputedStyle(document.documentElement).getPropertyValue('--text').trim()")
    measured = page.drawn["styles"][1]["color"]
    strokes = browser.ask("strokes.join(' ')").split()
    assert strokes and strokes == [measured, computed] * (len(strokes) // 2)
    legend = browser.ask("document.querySelector('.u-legend').textContent")
    assert legend.index("computed") < legend.index("measured")


def test_zooming_one_plot_zooms_all(shell, browser):
    report(shell, *PICK)
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    left, top, width, height = browser.ask(
        "(() => { const at = document.querySelector('.u-over').getBoundingClientRect();"
        " return [at.left, at.top, at.width, at.height]; })()")
    for kind, share in (("mousePressed", 0.2), ("mouseMoved", 0.4), ("mouseReleased", 0.6)):
        browser.call("Input.dispatchMouseEvent", type=kind, x=left + share * width,
                     y=top + height / 2, button="left", buttons=1, clickCount=1)
    pictures = "[...document.querySelectorAll('.uplot canvas')].map(canvas => canvas.toDataURL())"
    zoomed = browser.ask(f"new Promise(done => setTimeout(() => done({pictures}), 200))")
    browser.open(shell.folder / "page.html")
    whole = browser.ask(pictures)
    assert all(one != other for one, other in zip(zoomed, whole))


def test_paper_is_light(shell, browser):
    report(shell, *PICK)
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900, "dark")
    background = "getComputedStyle(document.body).backgroundColor"
    assert browser.ask(background) != "rgb(255, 255, 255)"
    marker = "getComputedStyle(document.querySelector('.u-legend tr:nth-child(2) .u-marker')).borderTopColor"
    assert browser.ask(marker) == "rgb(227, 231, 235)"  # opened on a light screen
    browser.ask("dispatchEvent(new Event('beforeprint'))")
    assert browser.ask(background) == "rgb(255, 255, 255)"
    # As Chromium prints: the layout of paper comes after the event.
    browser.call("Emulation.setEmulatedMedia", media="print")
    arm, plots, width = browser.ask("""(() => {
      const ratio = (w, h) => w / h, canvas = document.querySelector('#arm canvas');
      const plots = [...document.querySelectorAll('.plot')];
      return [ratio(canvas.width, canvas.height) / ratio(canvas.clientWidth, canvas.clientHeight),
              plots.map(plot => plot.scrollWidth - plot.clientWidth),
              document.documentElement.scrollWidth]; })()""")
    edge, *tables = browser.ask("""[document.body, ...document.querySelectorAll('table.answer')]
      .map(element => element.getBoundingClientRect().right)""")
    assert tables and max(tables) <= edge
    assert arm == pytest.approx(1, abs=0.02)
    assert max(plots) <= 1 and width <= 1280
    browser.ask("dispatchEvent(new Event('afterprint'))")


def test_a_band_of_one_row_is_a_bar(shell, browser):
    (shell.folder / "m.csv").write_text("q1,q2,qd1,qd2,qdd1,qdd2\n0.3,0.2,0,0,0,0\n")
    page = report(shell, "vary", "craig-rr", "m.csv", "--uncertainty", "mass=50%", "--samples", "50")
    assert any(curve["begins_band"] and len(curve["x"]) == 1
               for curve in page.drawn["figures"][0]["panels"][0]["curves"])
    browser.open(shell.folder / "page.html")
    browser.show(1280, 900)
    wide = browser.ask("""(() => {
      const canvas = document.querySelector('.uplot canvas'), g = canvas.getContext('2d');
      const { data } = g.getImageData(0, 0, canvas.width, canvas.height);
      const rows = new Map();
      for (let k = 0; k < data.length; k += 4) {
        const isBlue = data[k + 3] && data[k + 2] > data[k] + 20;
        if (isBlue) rows.set((k / 4 / canvas.width) | 0, 1 + (rows.get((k / 4 / canvas.width) | 0) ?? 0));
      }
      return [...rows.values()].filter(count => count >= 10).length; })()""")
    assert wide > 20
    assert browser.complaints() == []


def test_a_data_sheet_draws_the_two_diagrams_of_makers_beside_its_chapters(shell):
    page = report(shell, "datasheet", "palletizer", "--what", "arm,payload,base", "--boxes", "100")
    panels = page.drawn["figures"][0]["panels"]
    assert [panel["x_label"] for panel in panels] == ["TCP within", "offset"]
    assert all(panel["has_zero"] for panel in panels)
    parts = page.source.split('<div class="part">')[1:]
    assert [part.split("<h3>")[1].split("</h3>")[0] for part in parts] == [
        "Arm", "Payload", "Payload at the wrist", "Loads on the base"]
    assert parts[0].startswith("\n<h3>") and "</table></div>\n</div>" in parts[0]
    for panel in panels:
        guaranteed, found = (curve["y"] for curve in panel["curves"])
        assert len(guaranteed) == 4
        assert all(0.0 < low <= high for low, high in zip(guaranteed, found))
