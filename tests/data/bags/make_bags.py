#!/usr/bin/env python3
"""Writes the bags beside it, with the motion of ../logs: by other implementations than armdyn's.

Databases by Python's sqlite3, MCAP by @mcap/core (npm install @mcap/core; make_mcap.mjs, chunks
compressed by the programs zstd and lz4), messages in CDR by the few lines below. content.csv holds
the same doubles as text.
"""
import json
import sqlite3
import struct
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "logs"))
from make_logs import EPOCH, JOINTS, MOTION  # noqa: E402

ORDER = [2, 1, 0, 3, 4, 5]  # elbow first, as the driver of UR has it
STATE = "sensor_msgs/msg/JointState"
TRAJECTORY = "trajectory_msgs/msg/JointTrajectory"
WRENCH = "geometry_msgs/msg/WrenchStamped"
DELAY = 250_000  # ns, from a stamp to its receipt


class Cdr:
    def __init__(self, order="<"):
        self.order, self.data = order, b""

    def put(self, kind, *values):
        for value in values:
            size = struct.calcsize(kind)
            self.data += b"\0" * (-len(self.data) % size) + struct.pack(self.order + kind, value)

    def text(self, text):
        raw = text.encode() + b"\0"
        self.put("I", len(raw))
        self.data += raw

    def texts(self, texts):
        self.put("I", len(texts))
        for text in texts:
            self.text(text)

    def numbers(self, numbers):
        self.put("I", len(numbers))
        if numbers:
            self.put("d", *numbers)

    def header(self, stamp, frame=""):
        self.put("i", stamp // 10**9)
        self.put("I", stamp % 10**9)
        self.text(frame)

    def bytes(self):
        return (b"\0\1" if self.order == "<" else b"\0\0") + b"\0\0" + self.data


def stamp_of(row):
    return EPOCH + row["k"] * 10_000_000


def state(row, order="<", joints=ORDER, has=("q", "qd", "tau"), stamp=None, names=None):
    cdr = Cdr(order)
    cdr.header(stamp_of(row) if stamp is None else stamp)
    cdr.texts(names or [JOINTS[j] + "_joint" for j in joints])
    for group in ("q", "qd", "tau"):
        cdr.numbers([row[group][j] for j in joints] if group in has else [])
    return cdr.bytes()


def states(topic="/joint_states", delay=DELAY, **options):
    return [(topic, STATE, stamp_of(row) + delay, state(row, **options)) for row in MOTION]


def trajectory(rows=MOTION, joints=ORDER):
    cdr = Cdr()
    cdr.header(0)
    cdr.texts([JOINTS[j] + "_joint" for j in joints])
    cdr.put("I", len(rows))
    for row in rows:
        for group in ("q", "qd", "qdd"):
            cdr.numbers([row[group][j] for j in joints])
        cdr.numbers([])
        cdr.put("i", 0)
        cdr.put("I", row["k"] * 10_000_000)
    return [("/goal", TRAJECTORY, EPOCH, cdr.bytes())]


def wrenches():
    found = []
    for row in MOTION[2::4]:
        cdr = Cdr()
        cdr.header(stamp_of(row), "tool0")
        cdr.put("d", *[row["k"] + 0.1 * i for i in range(6)])
        found.append(("/wrench", WRENCH, stamp_of(row), cdr.bytes()))
    return found


def others():
    """A topic that nobody wants, and states of a gripper among those of the arm."""
    row = MOTION[0]
    gripper = state(row, joints=[0, 1], names=["finger_left", "finger_right"])
    return [("/rosout", "rcl_interfaces/msg/Log", EPOCH, b"\0\1\0\0" + b"x" * 500),
            ("/joint_states", STATE, EPOCH, gripper)]


def by_receipt(*lists):
    return sorted((message for some in lists for message in some), key=lambda m: m[2])


def write_db3(name, messages, extra=(), page_size=1024, index=True):
    path = HERE / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    base.execute(f"PRAGMA page_size = {page_size}")
    base.executescript(
        "CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,"
        "serialization_format TEXT NOT NULL,offered_qos_profiles TEXT NOT NULL);"
        "CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,"
        "timestamp INTEGER NOT NULL, data BLOB NOT NULL);")
    if index:
        base.execute("CREATE INDEX timestamp_idx ON messages (timestamp ASC)")
    ids = {}
    for topic, kind, received, data in messages:
        if topic not in ids:
            ids[topic] = len(ids) + 1
            base.execute("INSERT INTO topics VALUES(?,?,?,'cdr','')", (ids[topic], topic, kind))
        base.execute("INSERT INTO messages(topic_id,timestamp,data) VALUES(?,?,?)",
                     (ids[topic], received, data))
    for statement in extra:
        base.execute(statement)
    base.commit()
    base.close()


def write_mcap(name, messages, **options):
    """compression: none, lz4, zstd; chunks, index: whether; encoding."""
    job = {"file": str(HERE / name), **options,
           "messages": [{"topic": t, "type": k, "time": str(r), "data": d.hex()}
                        for t, k, r, d in messages]}
    subprocess.run(["node", str(HERE / "make_mcap.mjs")], input=json.dumps(job), text=True,
                   check=True)


def write_folder(name, parts, ending, write):
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    size = -(-len(parts) // 3)
    files = [f"{name}_{i}{ending}" for i in range(3)]
    for i, file in enumerate(files):
        write(f"{name}/{file}", parts[i * size:(i + 1) * size])
    (folder / "metadata.yaml").write_text(
        "rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths:\n" +
        "".join(f"    - {file}\n" for file in files))


def write_content():
    groups = [("position", "q"), ("velocity", "qd"), ("effort", "tau")]
    names = [f"{word}_{JOINTS[j]}_joint" for word, _ in groups for j in ORDER]
    lines = [",".join(["time[ns]"] + names)]
    for row in MOTION:
        numbers = [repr(row[group][j]) for _, group in groups for j in ORDER]
        lines.append(",".join([str(stamp_of(row))] + numbers))
    (HERE / "content.csv").write_text("\n".join(lines) + "\n")


def write_echo():
    lines = []
    for row in MOTION:
        cells = [str(stamp_of(row) // 10**9), str(stamp_of(row) % 10**9), ""]
        cells += [JOINTS[j] + "_joint" for j in ORDER]
        cells += [repr(row[group][j]) for group in ("q", "qd", "tau") for j in ORDER]
        lines.append(",".join(cells))
    (HERE / "echo.csv").write_text("\n".join(lines) + "\n")


def write_seeds():
    """Small ones for tests/fuzz."""
    seeds = HERE.parent.parent / "fuzz" / "seeds" / "bag"
    seeds.mkdir(exist_ok=True)
    rows = [("/joint_states", STATE, stamp_of(row),
             state(row, joints=[0, 2], names=["shoulder", "elbow"])) for row in MOTION[:4]]
    for name, compression, chunks in [("plain", "none", False), ("chunks", "none", True),
                                      ("lz4", "lz4", True), ("zstd", "zstd", True)]:
        write_mcap(seeds / f"{name}.mcap", rows, compression=compression, chunks=chunks, index=chunks)
    write_db3(seeds / "states.db3", rows, page_size=512, index=False)
    write_mcap(seeds / "wrenches.mcap", wrenches()[:2] + rows + trajectory(MOTION[:2], [0, 2]), chunks=False,
               compression="none", index=False)


write_content()
write_echo()
write_db3("states.db3", by_receipt(others(), states()))
write_folder("split", states(), ".db3", write_db3)
write_mcap("plain.mcap", by_receipt(others(), states()), compression="none", chunks=False, index=False)
write_mcap("chunks.mcap", states(), compression="none", chunks=True, index=True)
write_mcap("lz4.mcap", states(order=">"), compression="lz4", chunks=True, index=True)
write_mcap("zstd.mcap", states(), compression="zstd", chunks=True, index=False)
write_mcap("two.mcap", by_receipt(states(), states("/other/joint_states"), wrenches(), trajectory()),
           compression="zstd", chunks=True, index=True)
write_mcap("goal.mcap", trajectory(), compression="zstd", chunks=True, index=True)
write_mcap("unstamped.mcap", states(has=("q",), stamp=0), compression="zstd", chunks=True, index=True)
write_mcap("late.mcap", states(delay=2_500_000_000), compression="zstd", chunks=True, index=True)
write_mcap("ros1.mcap", states(), compression="zstd", chunks=True, index=True, encoding="ros1")
write_db3("endless.db3", [], extra=(
    "INSERT INTO topics VALUES(1, '/joint_states', 'sensor_msgs/msg/JointState', 'cdr', '')",
    "DROP TABLE messages",
    "CREATE VIEW messages AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) "
    "SELECT id, 1 AS topic_id, id AS timestamp, zeroblob(100) AS data FROM c"))
write_seeds()
