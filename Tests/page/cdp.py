"""A small client for Chromium's DevTools protocol: starts a headless browser and controls one page of it."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class WebSocket:
    """A client connection that sends and receives text messages (RFC 6455)."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=30)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self._more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode(errors="replace"))

    def _more(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("the browser closed the connection")
        return data

    def _read(self, size):
        while len(self.buffer) < size:
            self.buffer += self._more()
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def _send(self, opcode, payload):
        size = len(payload)
        extended = b"" if size < 126 else struct.pack(">H", size) if size < 65536 else struct.pack(">Q", size)
        length = size if size < 126 else 126 if size < 65536 else 127
        # A mask of zeros is valid and leaves the payload as it is.
        self.socket.sendall(bytes([0x80 | opcode, 0x80 | length]) + extended + bytes(4) + payload)

    def send(self, text):
        self._send(1, text.encode())

    def receive(self, timeout):
        """Returns the next message; None if there is none in time."""
        message = b""
        self.socket.settimeout(max(timeout, 0.001))
        try:
            if not self.buffer:
                self.buffer = self._more()
        except (TimeoutError, socket.timeout):
            return None
        self.socket.settimeout(30)
        while True:
            first, second = self._read(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", self._read(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self._read(8))
            payload = self._read(size)
            opcode = first & 0x0F
            if opcode == 8:
                raise ConnectionError("the browser closed the connection")
            if opcode == 9:
                self._send(10, payload)
            elif opcode in (0, 1):
                message += payload
                if first & 0x80:
                    return message.decode()


class Browser:
    """A headless Chromium with one page. Use it as a context manager."""

    def __init__(self, executable=None, arguments=()):
        executable = executable or shutil.which("chromium")
        self.profile = tempfile.mkdtemp(prefix="cdp-")
        self.process = subprocess.Popen(
            [executable, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--remote-debugging-port=0", f"--user-data-dir={self.profile}", *arguments,
             "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.number = 0
        #: The console messages, exceptions and log entries (CSP violations among them) since the page opened.
        self.problems = []
        self.events = []
        try:
            self._connect()
        except BaseException:
            self.close()
            raise

    def _connect(self):
        file, deadline = os.path.join(self.profile, "DevToolsActivePort"), time.monotonic() + 30
        while not os.path.exists(file) or not open(file).read().count("\n"):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise TimeoutError("the browser did not start")
            time.sleep(0.05)
        port = int(open(file).readline())
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=10) as answer:
            page = next(target for target in json.load(answer) if target["type"] == "page")
        self.socket = WebSocket("127.0.0.1", port, page["webSocketDebuggerUrl"].split(str(port), 1)[1])
        for domain in ("Page", "Runtime", "Log", "Accessibility"):
            self.call(f"{domain}.enable")
        # Focus events happen although no window has the focus.
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def call(self, method, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        number = self.number
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            message = self._receive(deadline - time.monotonic())
            if message and message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
        raise TimeoutError(method)

    def _receive(self, timeout):
        text = self.socket.receive(timeout)
        message = json.loads(text) if text else None
        if message and "method" in message:
            self._note(message["method"], message["params"])
        return message

    def _note(self, method, parameters):
        if method == "Runtime.consoleAPICalled":
            self.problems.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.problems.append(parameters["entry"]["text"])

    def open(self, url, width=1440, height=900, dark=False, reduced_motion=False):
        """Opens a page in a window of that size and with those preferences, and waits until it has loaded."""
        self.problems.clear()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.prefer(dark, reduced_motion)
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def prefer(self, dark=False, reduced_motion=False):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced_motion else "no-preference"},
        ])

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression; a promise is awaited."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", expression))
        return result["result"].get("value")

    def wait(self, expression, seconds=20):
        """Waits until an expression is true and returns its value."""
        deadline = time.monotonic() + seconds
        while True:
            value = self.evaluate(expression)
            if value:
                return value
            if time.monotonic() > deadline:
                raise TimeoutError(expression)
            time.sleep(0.05)

    def press(self, key, code=0, shift=False):
        """Presses a key, for example "Tab", "Enter" or "ArrowLeft"."""
        codes = {"Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40}
        event = {"key": key, "code": key, "windowsVirtualKeyCode": code or codes.get(key, 0), "modifiers": 8 * shift}
        text = {"Enter": {"text": "\r"}, " ": {"text": " "}}.get(key, {})
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **event, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text):
        """Enters text where the focus is."""
        self.call("Input.insertText", text=text)

    def screenshot(self, path, whole_page=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole_page)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def focused(self):
        """Returns the role and the name of the element with the focus, as assistive technology reads them."""
        element = self.call("Runtime.evaluate", expression="document.activeElement")["result"]["objectId"]
        node = self.call("Accessibility.getPartialAXTree", objectId=element, fetchRelatives=False)["nodes"][0]
        return node.get("role", {}).get("value", ""), node.get("name", {}).get("value", "")

    def accessibility_tree(self):
        """Returns each node that assistive technology sees, in order: its role, name and properties, and as `inside` the
        nodes that it is in, the innermost last."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        seen = []

        def visit(node, inside):
            if not node.get("ignored"):
                entry = {
                    "role": node["role"]["value"], "name": node.get("name", {}).get("value", ""), "inside": inside,
                    **{p["name"]: p["value"].get("value") for p in node.get("properties", [])},
                }
                seen.append(entry)
                inside = [*inside, entry]
            for child in node.get("childIds", []):
                if child in by_id:
                    visit(by_id[child], inside)

        visit(nodes[0], [])
        return seen

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
