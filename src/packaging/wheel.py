"""Makes the wheel of the Python module by CMake, for `pip install .` (PEP 517).

The module is linked with the distribution's libraries (.ci/packages). Where ARMDYN_BUILD names a
build tree, its module is taken; else one is built in build/wheel for the interpreter that runs this.
ARMDYN_PLATFORM is the tag of the platforms that the module runs on, if it is not the builder's own;
ARMDYN_LICENSES a folder with the licenses of what is linked statically.
The files have the time SOURCE_DATE_EPOCH, so that the same module makes the same wheel.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(armdyn VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
INFO = f"armdyn-{VERSION}.dist-info"
METADATA = f"""Metadata-Version: 2.1
Name: armdyn
Version: {VERSION}
Summary: Dynamics of robot arms: inverse, forward, compared
License: BSD-3-Clause
Requires-Python: >=3.9
Provides-Extra: arrays
Requires-Dist: numpy; extra == "arrays"
Provides-Extra: frames
Requires-Dist: pandas; extra == "frames"
"""


def date():
    """That of the sources, if it is known, else now."""
    return time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))


def _python_tag():
    return "cp{}{}".format(*sys.version_info)


def _tag():
    platform = os.environ.get("ARMDYN_PLATFORM") or re.sub("[-.]", "_", sysconfig.get_platform())
    return f"{_python_tag()}-{_python_tag()}-{platform}"


def _build_tree():
    if "ARMDYN_BUILD" in os.environ:
        return Path(os.environ["ARMDYN_BUILD"])
    tree = ROOT / "build" / "wheel"
    of_another_python = [word for name in ("Python_*", "_Python*", "PYTHON_*", "pybind11_*")
                         for word in ("-U", name)]
    subprocess.run(["cmake", "-S", ROOT, "-B", tree, *of_another_python,
                    f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_BUILD_TYPE=Release",
                    "-DBUILD_TESTING=OFF", "-DARMDYN_MPI=OFF"], check=True)
    subprocess.run(["cmake", "--build", tree, "--target", "armdyn_python",
                    "--parallel", str(os.cpu_count())], check=True)
    return tree


def _files(installed, tree):
    """Paths in the wheel and what is there."""
    module = next(installed.rglob("_core*")).parent
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    if not (module / f"_core{suffix}").is_file():
        raise SystemExit(f"armdyn: the build made no module for this Python, which would be "
                         f"{module}/_core{suffix}; are pybind11-dev and Python's headers there?")
    for path in sorted(module.iterdir()):
        yield f"armdyn/{path.name}", path.read_bytes()
    for path in sorted((ROOT / "robots").rglob("*.*")):
        yield f"armdyn/share/armdyn/{path.relative_to(ROOT)}", path.read_bytes()
    schema = "robot-file.schema.json"
    yield f"armdyn/share/armdyn/{schema}", (ROOT / "docs" / schema).read_bytes()
    unit = "lib/armdyn/fmu/armdyn_fmu.so"
    if (tree / unit).is_file():
        yield f"armdyn/{unit}", (tree / unit).read_bytes()
    yield f"{INFO}/METADATA", METADATA.encode()
    yield f"{INFO}/LICENSE", (ROOT / "LICENSE").read_bytes()
    if "ARMDYN_LICENSES" in os.environ:
        for path in sorted(Path(os.environ["ARMDYN_LICENSES"]).iterdir()):
            yield f"{INFO}/licenses/{path.name}", path.read_bytes()
    yield f"{INFO}/entry_points.txt", b"[console_scripts]\narmdyn = armdyn.__main__:main\n"
    yield f"{INFO}/WHEEL", (f"Wheel-Version: 1.0\nGenerator: armdyn\nRoot-Is-Purelib: false\n"
                            f"Tag: {_tag()}\n").encode()


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"armdyn-{VERSION}-{_tag()}.whl"
    record = ""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(
            Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        tree = _build_tree()
        subprocess.run(["cmake", "--install", tree, "--component", "python", "--strip",
                        "--prefix", folder], check=True)
        def write(path, content):
            entry = zipfile.ZipInfo(path, date()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content)

        for path, content in _files(Path(folder), tree):
            write(path, content)
            record += f"{path},sha256={_digest(content)},{len(content)}\n"
        write(f"{INFO}/RECORD", f"{record}{INFO}/RECORD,,\n")
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = Path(metadata_directory) / INFO
    folder.mkdir()
    (folder / "METADATA").write_text(METADATA)
    return INFO
