#!/usr/bin/python3 -B
"""Prints what is in the static program as SPDX 2.3: each part with its version and its license.

    bill.py BUILD_FOLDER

The build has listed the parts in BUILD_FOLDER/contents: a name, the Debian package, the license.
"""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

from wheel import ROOT, VERSION, date


def part(name, version, license_, supplier):
    return {"SPDXID": f"SPDXRef-{re.sub('[^A-Za-z0-9.-]', '-', name)}", "name": name, "versionInfo": version,
            "supplier": supplier, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": license_, "licenseDeclared": license_, "copyrightText": "NOASSERTION"}


def parts(build):
    yield part("armdyn", VERSION, "BSD-3-Clause", "Organization: The armdyn authors")
    page = json.loads((ROOT / "src" / "report" / "page" / "package.json").read_text())
    yield part("uPlot", page["dependencies"]["uplot"], "MIT", "NOASSERTION")
    for line in (build / "contents").read_text().splitlines():
        name, package, license_ = line.rsplit(":", 2)
        version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], check=True,
                                 capture_output=True, text=True).stdout
        yield part(name, version, license_, "Organization: Debian")


def bill(build):
    found = [*parts(build)]
    own, *others = (one["SPDXID"] for one in found)
    made = date()
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"armdyn-{VERSION}",
        "documentNamespace": f"https://spdx.org/spdxdocs/armdyn-{VERSION}-{time.strftime('%Y%m%d%H%M%S', made)}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", made),
                         "creators": ["Organization: The armdyn authors", "Tool: bill.py"]},
        "packages": found,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own},
            *({"spdxElementId": own, "relationshipType": "CONTAINS", "relatedSpdxElement": other}
              for other in others)]}


if __name__ == "__main__":
    print(json.dumps(bill(Path(sys.argv[1])), indent=2))
