#!/usr/bin/env python3
"""Sends signals at random moments to verbs that write, and looks at what they leave.

    tests/hostile/signals.py build/test/bin/armdyn [--runs 1000] [--seed 1]

After each signal an output is what stood there before, or whole (of `simulate` and `track`, which
keep their rows, it may be the beginning of that), no temporary is left, and the program has ended
within 1.5 s. Prints the runs that broke one of these, and how often each exit code came.
"""
import argparse
import collections
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGQUIT,
           signal.SIGUSR1, signal.SIGXCPU]
OLD = b"what stood there before\n"
LONGEST = 1.5  # s
KEEP_THEIR_ROWS = ("simulate", "track")
COMMANDS = """
torque puma560 {motion} -o out.csv
torque puma560 {motion} --terms --reactions -o out.csv
torque puma560 {motion} -o out.csv --plot out.svg --report out.html
simulate puma560 --duration 3 -o out.csv
track puma560 {motion} -o out.csv
compare puma560 {motion} --differences out.csv
inspect puma560 {motion} --what M -o out.csv
vary puma560 {motion} --uncertainty mass=5% --samples 200 -o out.csv --worst out.yaml --force
identify puma560 {log} -o out.yaml --force
observe puma560 {log} -o out.csv --report out.html
torque {mjcf} {motion} -o out.csv
equations puma560 --what M -o out.txt
trajectory ur10e --excite --optimize --limits 1.5,3 -o out.csv
trajectory puma560 --from qz --to qr --time-optimal -o out.csv
check puma560 --report out.html
convert puma560 -o out.urdf --force
size puma560 {motion} --report out.html
""".strip().splitlines()


def contents(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def start(program, words, folder):
    return subprocess.Popen([program, *words], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def faults(words, code, took, left, whole):
    """What is wrong with what a run has left."""
    found = [f"left {name}" for name in left.keys() - whole.keys()]
    for name in whole:
        is_kept = left.get(name) in (OLD, whole[name]) or (name.endswith(".html") and code in (0, 1))
        begins = words[0] in KEEP_THEIR_ROWS and whole[name].startswith(left.get(name, b"\0"))
        if not is_kept and not begins:
            found.append(f"{name} is torn")
    return found + ([f"took {took:.1f} s"] if code not in (0, 1) and took > LONGEST else [])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", type=Path)
    options.add_argument("--runs", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    program, draw = given.program.resolve(), random.Random(given.seed)
    for ignored in SIGNALS:  # by a shell for its jobs, by nohup
        signal.signal(ignored, signal.SIG_DFL)
    with tempfile.TemporaryDirectory() as inputs:
        motion, log, mjcf = f"{inputs}/motion.csv", f"{inputs}/log.csv", f"{inputs}/arm.xml"
        subprocess.run([program, "trajectory", "puma560", "--from", "qz", "--to", "45,30,0,45,60,90 deg",
                        "--duration", "30", "--quiet", "-o", motion], check=True)
        subprocess.run([program, "torque", "puma560", motion, "--keep-motion", "--quiet", "-o", log], check=True)
        subprocess.run([program, "convert", "ur5e", "--quiet", "-o", mjcf], check=True, stderr=subprocess.DEVNULL)
        jobs = []
        for line in COMMANDS:
            words = line.format(motion=motion, log=log, mjcf=mjcf).split()
            with tempfile.TemporaryDirectory() as folder:
                begin = time.monotonic()
                if start(program, words, folder).wait() not in (0, 1):
                    sys.exit(f"signals.py: {line}: fails without a signal")
                jobs.append((words, contents(folder), time.monotonic() - begin))
        codes, broken = collections.Counter(), 0
        for _ in range(given.runs):
            words, whole, usual = draw.choice(jobs)
            sent = draw.choice(SIGNALS)
            with tempfile.TemporaryDirectory() as folder:
                for name in whole:
                    Path(folder, name).write_bytes(OLD)
                run = start(program, words, folder)
                time.sleep(draw.random() * usual * 1.1)
                begin = time.monotonic()
                run.send_signal(sent)
                try:
                    code = run.wait(20)
                except subprocess.TimeoutExpired:
                    run.kill()
                    code = run.wait()
                codes[code] += 1
                wrong = faults(words, code, time.monotonic() - begin, contents(folder), whole)
            if wrong:
                broken += 1
                print(sent.name, *words, ":", ", ".join(wrong))
    print(f"{given.runs} signals, {broken} broken; exit codes:",
          ", ".join(f"{code}: {count}" for code, count in sorted(codes.items())))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
