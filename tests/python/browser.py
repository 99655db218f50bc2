"""A page in headless Chromium, by the DevTools protocol over a pipe."""

import base64
import json
import os
import shutil
import subprocess
import tempfile

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
         "--disable-background-networking --disable-component-update --remote-debugging-pipe")


class Browser:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.to = os.pipe()
        self.back, from_browser = os.pipe()
        command = (f"exec {PROGRAM} {QUIET} --user-data-dir={self.folder.name} "
                   f"3<&{to_browser} 4>&{from_browser}")
        self.process = subprocess.Popen(["bash", "-c", command], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        pass_fds=(to_browser, from_browser))
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.rest, self.events, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.back, 1 << 20)
            assert part, "Chromium has ended"
            self.rest += part
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            got = self.message()
            if got.get("id") == self.number:
                assert "error" not in got, got
                return got["result"]
            self.events.append(got)

    def named(self, *methods):
        return [event["params"] for event in self.events if event.get("method") in methods]

    def open(self, path):
        self.events = []
        self.call("Page.navigate", url=f"file://{path}")
        while not self.named("Page.loadEventFired"):
            self.events.append(self.message())

    def complaints(self):
        """What went to the console, and what was asked for beside the page itself."""
        said = self.named("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        asked = self.named("Network.requestWillBeSent")
        return said + [request for request in asked if request["type"] != "Document"]

    def ask(self, script):
        got = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                        awaitPromise=True)
        assert "exceptionDetails" not in got, got
        return got["result"].get("value")

    def show(self, width, height, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("new Promise(done => setTimeout(done, 100))")

    def picture(self, path, **options):
        shot = self.call("Page.captureScreenshot", **options)
        path.write_bytes(base64.b64decode(shot["data"]))

    def point(self, selector, number, share):
        """Moves the mouse to a share of the width of an element."""
        left, top, width, height = self.ask(
            f"(() => {{ const at = document.querySelectorAll({json.dumps(selector)})[{number}]"
            ".getBoundingClientRect(); return [at.left, at.top, at.width, at.height]; })()")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=left + share * width,
                  y=top + height / 2)
