"""The command line: python -m armdyn VERB ..."""

import sys

import armdyn  # noqa: F401, which says where the robots are

from ._core import main as _main


def main():
    return _main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
