#!/usr/bin/env python3
"""Lets calls of the system fail at random beneath verbs of all kinds, and looks at what they leave.

    tests/hostile/faults.py build/test/bin/armdyn build/test/tests/libfailing_calls.so [--faults 10000] [--minutes 10] [--seed 1]
    tests/hostile/faults.py build/test/bin/armdyn --together 300

Of each command line (bags, sheets, catalogs, waypoints, MJCF with parts, mechanisms, springs among the inputs) one
call of a kind and a number drawn by the seed fails. The output is then what stood there before, or
whole; no temporary is left; the exit code is 4 or 5 with one message, or that of an undisturbed run
with the output whole; and the run has ended within 60 s. With --together, that many runs write the same
outputs in one folder at once, undisturbed. Prints the runs that broke one of these, and counts.
"""
import argparse
import collections
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from signals import KEEP_THEIR_ROWS, OLD, contents

DATA = Path(__file__).resolve().parent.parent / "data"
LONGEST = 60  # s
CALLS = {"open": 60, "read": 60, "pread": 60, "fstat": 60, "stat": 40, "lstat": 8, "readdir": 40, "write": 20,
         "pwrite": 8, "fsync": 4, "rename": 3, "close": 60, "mmap": 60, "pthread_create": 4, "malloc": 30000}
COMMANDS = """
torque craig-rr motion.csv -o out.csv
torque craig-rr motion.npy -o out.npy
torque craig-rr motion.csv --terms --reactions --threads 2 -o out.csv
torque craig-rr motion.csv -o out.csv --report out.html
torque craig-rr motion.csv -o out.csv --json
torque ur5e {data}/bags/states.db3 --derive -o out.csv
torque ur5e {data}/bags/zstd.mcap --derive -o out.csv
torque ur5e {data}/bags/lz4.mcap --derive -o out.csv
torque ur5e {data}/bags/split --derive -o out.csv
torque ur5e {data}/bags/plain.mcap --derive -o out.csv
torque ur5e {data}/bags/goal.mcap --derive -o out.csv
torque arm.urdf motion6.csv -o out.csv
torque arm.xml motion6.csv -o out.csv
check parts.xml -o out.txt
convert parts.xml -o out.yaml --force
torque craig-rr motion.csv --part 1/2 -o out.csv
join parts.csv
simulate craig-rr gusts.csv --step 0.01 -o out.csv
simulate craig-rr --duration 0.1 -o out.npy
simulate craig-rr --batch runs.csv --duration 0.1 -o out.csv
track craig-rr motion.csv --step 0.01 -o out.csv
torque palletizer moving.csv -o out.csv
inspect balanced-link --q 0.5,0.2 -o out.txt
check dual-arm-planar -o out.txt
simulate balanced-link --duration 0.1 -o out.csv
convert scara-quill -o out.yaml --force
compare craig-rr motion.csv --differences out.csv
inspect craig-rr -o out.txt
inspect craig-rr motion.csv --what M -o out.csv
inspect craig-rr motion.csv --what condition -o out.csv --report out.html
check craig-rr -o out.txt
check craig-rr --payload 2 -o out.txt
check craig-rr --report out.html
vary craig-rr motion.csv --uncertainty mass=5% --samples 20 -o out.csv --worst out.yaml --force
identify craig-rr log.csv -o out.yaml --force
identify craig-rr log.csv --report out.html
observe craig-rr log.csv -o out.csv
observe craig-rr log.csv --json -o out.csv --report out.html
equations craig-rr --what M -o out.txt
equations craig-rr --what torque --format c -o out.c --force
equations craig-rr --what M --format latex -o out.tex --force
equations craig-rr --verify sheet.txt -o out.txt
trajectory craig-rr --from 0,0 --to 1,1 --duration 1 -o out.csv
trajectory craig-rr --via via.csv --limits 1,2 --rate 20 -o out.csv
trajectory craig-rr --via via.csv --limits 1,2 --rate 20 -o out.csv --report out.html
trajectory puma560 --from qz --to qr --time-optimal --rate 20 -o out.csv
convert craig-rr -o out.urdf --force
convert arm.urdf -o out.yaml --force
convert ur5e -o out.xml --force
robots -o out.txt
robots copy puma560 out.yaml --force
new out.yaml --joints 3 --force
size craig-rr motion.csv -o out.txt
size sized.yaml cycle.csv --catalog drives.csv -o out.txt
size sized.yaml cycle.csv --uncertainty mass=5% --report out.html
""".strip().splitlines()
DRIVES = """part,name,mass,rotor_inertia,peak_torque,continuous_torque,max_speed,gear_ratio,efficiency
motor,small,0.4,1e-5,0.5,0.2,600,,
motor,large,2.1,2e-4,6,2.5,400,,
gear,g50,0.5,1e-6,,,,50,0.8
"""


def make_inputs(program, folder):
    def armdyn(*words):
        subprocess.run([program, *words, "--quiet"], cwd=folder, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def write(name, text):
        Path(folder, name).write_text(text)

    move = ("trajectory", "craig-rr", "--from", "0,0", "--to", "1,1", "--duration", "1")
    armdyn(*move, "--rate", "1000", "-o", "motion.csv")
    armdyn(*move, "--rate", "1000", "-o", "motion.npy")
    armdyn("trajectory", "craig-rr", "--from", "0,0", "--to", "1,1", "--duration", "1", "--rate", "50", "-o", "cycle.csv")
    armdyn("torque", "craig-rr", "motion.csv", "--keep-motion", "-o", "log.csv")
    armdyn("trajectory", "palletizer", "--from", "home", "--to", "low", "--duration", "1", "-o", "moving.csv")
    armdyn("trajectory", "puma560", "--from", "0,0,0,0,0,0", "--to", "1,0,0.5,0,1,0", "--duration", "1", "--rate",
           "20", "-o", "motion6.csv")
    armdyn("convert", "puma560", "-o", "arm.urdf")
    armdyn("convert", "ur5e", "-o", "arm.xml")
    write("parts.xml", '<mujoco><include file="arm.xml"/></mujoco>\n')
    armdyn("robots", "copy", "craig-rr", "sized.yaml")
    for part in ("1/2", "2/2"):
        armdyn("torque", "craig-rr", "motion.csv", "--part", part, "-o", "parts.csv")
    write("gusts.csv", "t,tau1,tau2\n0,1,0\n0.1,0,1\n")
    write("runs.csv", "q1,q2\n0,0.1\n0.2,0.3\n")
    write("via.csv", "q1,q2\n0,0\n0.5,0.2\n1,0.1\n0.8,-0.3\n")
    write("sheet.txt", "M_{22} = m_2 l_2^2\nM11 = 3 m1 l1^2\nG_2 = m_2 g l_2 c_{12}\n")
    write("drives.csv", DRIVES)


class Job:
    def __init__(self, program, line, inputs):
        self.words, self.inputs = line.format(data=DATA).split(), inputs
        self.command = [str(program), *self.words]
        with tempfile.TemporaryDirectory() as folder:
            self.code, said = self.run(folder)
            self.whole = self.left(folder)
        if self.code not in (0, 1):
            sys.exit(f"faults.py: {line}: fails undisturbed, exit code {self.code}: {said.decode()}")

    def start(self, folder, **environment):
        for path in Path(self.inputs).iterdir():
            if not Path(folder, path.name).exists():
                os.symlink(path, Path(folder, path.name))
        return subprocess.Popen(self.command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, env=os.environ | environment)

    def run(self, folder, **environment):
        run = self.start(folder, **environment)
        try:
            said = run.communicate(timeout=LONGEST)[1]
        except subprocess.TimeoutExpired:
            run.kill()
            return "without end", run.communicate()[1]
        return run.returncode, said

    def left(self, folder):
        given = {path.name for path in Path(self.inputs).iterdir()} | {"failed"}
        return {name: text for name, text in contents(folder).items() if name not in given}

    def wrong(self, code, said, left):
        """What is wrong with what a disturbed run has left."""
        found = [f"left {name}" for name in left.keys() - self.whole.keys()]
        changed = [name for name in self.whole if left.get(name) != OLD]
        for name in changed:
            whole = self.whole[name]
            begins = self.words[0] in KEEP_THEIR_ROWS and whole.startswith(left.get(name, b"\0"))
            if left.get(name) != whole and not begins and not name.endswith(".html"):
                found.append(f"{name} is torn")
        if code not in (self.code, 4, 5):
            found.append(f"exit code {code}")
        if code == self.code and len(changed) < len(self.whole):
            found.append("an output is not written")
        messages = said.count(b"armdyn: ") - said.count(b"armdyn: warning") + said.count(b'"error": {')
        if code in (4, 5) and messages != 1:
            found.append("not one message")
        return found


def disturb(jobs, library, count, minutes, draw):
    codes, broken, injected, kinds = collections.Counter(), 0, 0, collections.Counter()
    until = time.monotonic() + minutes * 60
    while injected < count and time.monotonic() < until:
        job, call = draw.choice(jobs), draw.choice(list(CALLS))
        number = int(CALLS[call] ** draw.random())
        with tempfile.TemporaryDirectory() as folder:
            for name in job.whole:
                Path(folder, name).write_bytes(OLD)
            code, said = job.run(folder, LD_PRELOAD=str(library), ARMDYN_FAILS=f"{call}:{number}",
                                 ARMDYN_FAILED=f"{folder}/failed")
            if not Path(folder, "failed").exists():
                continue
            wrong = job.wrong(code, said, job.left(folder))
        injected += 1
        kinds[call] += 1
        codes[code] += 1
        if wrong:
            broken += 1
            print(f"{call}:{number}", *job.words, ":", ", ".join(wrong), said.decode(errors="replace").strip()[-300:])
    print(f"{injected} faults under {len(jobs)} command lines, {broken} broken; exit codes:",
          ", ".join(f"{code}: {n}" for code, n in sorted(codes.items(), key=str)))
    print(", ".join(f"{call}: {n}" for call, n in sorted(kinds.items())))
    return broken


def together(jobs, count, draw):
    """Runs of a few command lines each write the same outputs in one folder."""
    broken = 0
    for start in range(0, count, 60):
        with tempfile.TemporaryDirectory() as folder:
            some = {tuple(sorted(job.whole)): job for job in draw.sample(jobs, len(jobs))}  # one per set of outputs
            some = [job for names, job in some.items() if len(names) == 1]
            runs = [(job, job.start(folder)) for job in draw.choices(some, k=min(60, count - start))]
            for job, run in runs:
                said = run.communicate()[1]
                if run.returncode != job.code:
                    broken += 1
                    print(*job.words, ": exit code", run.returncode, said.decode(errors="replace")[-300:])
            left = some[0].left(folder)
            wholes = {name: job.whole[name] for job in {job for job, _ in runs} for name in job.whole}
            for name in left.keys() | wholes.keys():
                if left.get(name) != wholes.get(name) and not name.endswith(".html"):
                    broken += 1
                    print(name, "is torn or lost")
    print(f"{count} runs, 60 at once, {broken} broken")
    return broken


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", type=Path)
    options.add_argument("library", type=Path, nargs="?")
    options.add_argument("--faults", type=int, default=10000)
    options.add_argument("--minutes", type=float, default=1e6)
    options.add_argument("--together", type=int, default=0)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    program, draw = given.program.resolve(), random.Random(given.seed)
    with tempfile.TemporaryDirectory() as inputs:
        make_inputs(program, inputs)
        jobs = [Job(program, line, inputs) for line in COMMANDS]
        if given.together:
            return 1 if together(jobs, given.together, draw) else 0
        if given.library is None:
            sys.exit("faults.py: the library of failing calls is missing")
        return 1 if disturb(jobs, given.library.resolve(), given.faults, given.minutes, draw) else 0


if __name__ == "__main__":
    sys.exit(main())
