"""The server of `talus view` shows one run to those who know its token, and nothing else to anyone."""
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import threading
import time
import unittest
import urllib.parse

from talus_program import GLASS, SETTLE, SHAPES, ProgramTest

BRIEF = ["run.time=2 ms", "output.plots=false"]
NASTY = GLASS + """
description: "</script><script>alert(2)</script><img src=x onerror=alert(1)>"
bodies: [{shape: sphere, radius: 1 mm, position: [0, 0, 0]}]
run: {time: 0.1 ms}
"""

PENDULUM = """
materials: {steel: {density: 7800, youngs_modulus: 2 MPa}}
bodies: [{shape: sphere, radius: 2 mm, position: [20 mm, 0, 0], name: bob}]
joints: [{name: hook, type: spherical, between: [bob, world], point: [0, 0, 0]}]
run: {time: 20 ms}
"""


class Served:
    """Asks one server."""

    def __init__(self, url):
        parts = urllib.parse.urlparse(url)
        self.url, self.port = url, parts.port
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]

    def ask(self, path, token=True, host=None, method="GET", body=None, headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host=True)
            connection.putheader("Host", f"127.0.0.1:{self.port}" if host is None else host)
            if token:
                connection.putheader("X-Talus-Token", self.token if token is True else token)
            for name, value in headers:
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body.encode() if body is not None else None)
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())
        finally:
            connection.close()

    def json(self, path):
        status, text, _ = self.ask(path)
        assert status == 200, (path, status, text)
        return json.loads(text)

    def frame(self, query):
        status, data, _ = self.ask(f"/api/frame?{query}")
        assert status == 200, (query, status, data)
        assert data[:4] == b"TLF1", data[:20]
        length = struct.unpack("<I", data[4:8])[0]
        head = json.loads(data[8:8 + length])
        arrays = {}
        for name, a in head["arrays"].items():
            count = a["count"] * a["components"]
            kind = {"f32": "f", "u32": "I"}[a["type"]]
            arrays[name] = struct.unpack_from(f"<{count}{kind}", data, 8 + length + a["offset"])
        return head, arrays

    def raw(self, data, timeout=5):
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as line:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            try:
                return line.recv(65536)
            except (TimeoutError, ConnectionError):
                return b""


class ServerTest(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "probe").mkdir()
        (self.folder / "probe" / "run.json").write_text("{}")
        self.assertEqual(self.talus("report", self.folder / "probe", "-o", "probe.html").returncode, 0)
        if "<script" not in (self.folder / "probe.html").read_text():
            self.skipTest("the program was built without the page")

    def serve(self, *arguments):
        process = self.start([self.program, "view", *map(str, arguments), "--no-browser"])
        return Served(process.stdout.readline().strip()), process

    def run_and_serve(self, scene=SETTLE, settings=BRIEF):
        self.out = self.folder / "run"
        self.finish_scene(scene, self.out, settings)
        return self.serve(self.out)


class Viewer(ServerTest):
    def test_shows_what_is_in_the_files(self):
        server, _ = self.run_and_serve()
        info, state = server.json("/api/info"), server.json("/api/state?frames=0&lines=0")
        self.assertEqual(info["groups"], json.loads((self.out / "run.json").read_text())["groups"])
        self.assertEqual(state["summary"]["state_hash"], self.summary(self.out)["state_hash"])
        index = (self.out / "frames.pvd").read_text()
        times = [float(t) for t in re.findall(r'timestep="([^"]*)" part="0"', index)]
        self.assertEqual(state["times"], times)
        series = server.json("/api/series?from=0&file=0")
        self.assertEqual(series["text"], (self.out / "series.csv").read_text())
        more = server.json(f"/api/series?from={len(series['text'])}&file={series['file']}")
        self.assertEqual((more["from"], more["text"]), (len(series["text"]), ""))

        # The frame against the full values of its bodies; 20 bytes a sphere.
        last = len(times) - 1
        head, arrays = server.frame(f"k={last}&field=speed")
        self.assertEqual(head["bodies"], 300)
        self.assertEqual(4 * (len(arrays["spheres"]) + len(arrays["value"])), 20 * 300)
        for index in (0, 17, 299):
            body = server.json(f"/api/body?k={last}&index={index}")
            self.assertEqual(body, server.json(f"/api/body?k={last}&id={body['values']['id']:.0f}"))
            for c in range(3):
                self.assertAlmostEqual(arrays["spheres"][4 * index + c] + head["origin"][c], body["position"][c], delta=1e-8)
            self.assertAlmostEqual(arrays["spheres"][4 * index + 3], body["values"]["radius"], delta=1e-9)
            speed = sum(v * v for v in body["values"]["velocity"]) ** 0.5
            self.assertAlmostEqual(arrays["value"][index], speed, delta=1e-6 * speed + 1e-12)
        self.assertEqual(server.ask("/api/frame?k=0&field=nonsense")[0], 404)
        self.assertEqual(server.ask("/api/frame?k=100000")[0], 404)
        self.assertEqual(server.ask("/api/frame?k=-1")[0], 404)

    def test_bodies_of_other_shapes_are_meshes_in_their_places_and_held_ones_walls(self):
        server, _ = self.run_and_serve(SHAPES)
        head, arrays = server.frame("k=1&field=speed&velocity=1&contacts=1")
        radii = arrays["spheres"][3::4]
        self.assertEqual(len(radii), 61)
        self.assertGreater(sum(r > 0 for r in radii), 0)
        bodies = list(arrays["solidBody"])
        self.assertEqual(bodies, [k for k, r in enumerate(radii) if r == 0])
        held = [k for k in bodies if arrays["value"][k] != arrays["value"][k]]
        self.assertEqual(len(held), 1)
        self.assertEqual(server.json(f"/api/body?k=1&index={held[0]}")["values"]["held"], 1)
        self.assertEqual(len(arrays["velocity"]), 3 * 61)

        # A mesh for each shape, inside of the unit ball and reaching its surface; none that the page has already.
        shapes = sorted(set(arrays["solidShape"]))
        self.assertEqual(sorted(mesh["shape"] for mesh in head["meshes"]), shapes)
        self.assertLess(len(shapes), len(bodies))
        points, triangles, point, triangle = arrays["meshPoints"], arrays["meshTriangles"], 0, 0
        for mesh in head["meshes"]:
            own = points[3 * point:3 * (point + mesh["points"])]
            reach = max(sum(x * x for x in own[k:k + 3]) ** 0.5 for k in range(0, len(own), 3))
            self.assertAlmostEqual(reach, 1, delta=0.02)
            self.assertLess(max(triangles[3 * triangle:3 * (triangle + mesh["triangles"])]), mesh["points"])
            point, triangle = point + mesh["points"], triangle + mesh["triangles"]
        self.assertEqual((3 * point, 3 * triangle), (len(points), len(triangles)))
        known = ",".join(f"{shape}-{shape}" for shape in shapes)
        head, again = server.frame(f"k=1&shapes={known}")
        self.assertEqual((head["meshes"], again["solidTurn"]), ([], arrays["solidTurn"]))
        for nonsense in ("1", "3-1", "1-", "-", "0-99999999999", "a-b", "1-70000"):
            self.assertEqual(server.ask(f"/api/frame?k=1&shapes={nonsense}")[0], 404, nonsense)

    def test_joints_are_where_the_bodies_are(self):
        server, _ = self.run_and_serve(PENDULUM)
        last = server.json("/api/state?frames=0&lines=0")["frames"] - 1
        head, arrays = server.frame(f"k={last}")
        centre = [arrays["spheres"][c] + head["origin"][c] for c in range(3)]
        joint = [arrays["joints"][c] + head["origin"][c % 3] for c in range(9)]
        for c in range(3):
            self.assertAlmostEqual(joint[c], centre[c], delta=1e-8)
            self.assertAlmostEqual(joint[3 + c], 0, delta=1e-6)  # it hangs on the origin
        self.assertEqual(joint[3:6], joint[6:9])

    def test_a_scene_is_shown_before_it_runs(self):
        server, _ = self.serve(self.write(SETTLE), "--set", "run.time=1 s")
        info = server.json("/api/info")
        self.assertEqual((info["kind"], info["live"]), ("scene", False))
        self.assertIn("Rayleigh", info["stepReason"])
        head, arrays = server.frame("k=0&field=radius")
        self.assertEqual((head["time"], len(arrays["value"])), (0, 300))
        self.assertEqual(list((self.folder).glob("out*")), [])

    def test_nothing_is_told_without_the_token_or_under_another_name(self):
        server, _ = self.run_and_serve()
        paths = ["/api/info", "/api/state", "/api/series", "/api/frame?k=0", "/api/body?k=0&index=0"]
        for path in paths:
            self.assertEqual(server.ask(path)[0], 200)
            for token in (False, "0" * 32, server.token[:-1], server.token + "0"):
                self.assertEqual(server.ask(path, token=token)[0], 403, (path, token))
            for host in (f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port}.evil.example", ""):
                self.assertEqual(server.ask(path, host=host)[0], 403, (path, host))
        self.assertEqual(server.ask("/api/info?token=" + server.token, token=False)[0], 403)
        # The page itself holds no data; other names do not get even that.
        status, page, headers = server.ask("/", token=False)
        self.assertEqual(status, 200)
        self.assertNotIn(server.token.encode(), page)
        self.assertEqual(server.ask("/", host="evil.example")[0], 403)
        self.assertNotIn("Access-Control-Allow-Origin", headers)
        policy = headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertIn("script-src 'self';", policy)
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
            self.assertEqual(server.ask("/api/info", method=method)[0], 405, method)

    def test_only_this_computer_can_ask(self):
        server, _ = self.run_and_serve()
        for address in {a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}:
            if address.startswith("127."):
                continue
            with self.assertRaises(OSError):
                socket.create_connection((address, server.port), timeout=2)

    def test_no_file_outside_the_folder_is_read(self):
        secret = self.folder / "secret.vtp"
        server, _ = self.run_and_serve()
        shutil.copy(self.out / "frames" / "bodies_000003.vtp", secret)
        for path in ("/../secret.vtp", "/..%2fsecret.vtp", "/%2e%2e/secret.vtp", "/etc/passwd", "//etc/passwd", "/series.csv",
                     "/frames/bodies_000000.vtp", "/viewer.js/../../secret.vtp", "/api/../secret.vtp", "/.", "/viewerXjs"):
            self.assertEqual(server.ask(path)[0], 404, path)
        good = (self.out / "frames.pvd").read_text()
        outside = ["../secret.vtp", str(secret), "frames/../../secret.vtp", "frames/link.vtp", "/etc/passwd", "frames", "/dev/zero"]
        (self.out / "frames" / "link.vtp").symlink_to(secret)
        for n, name in enumerate(outside):
            (self.out / "frames.pvd").write_text(good.replace("frames/bodies_000003.vtp", name))
            os.utime(self.out / "frames.pvd", (1e9 + n, 1e9 + n))
            status, text, _ = server.ask("/api/frame?k=3")
            self.assertEqual(status, 404, (name, text))
            self.assertNotIn(b"root", text)
        # The same for the other files.
        for name in ("series.csv", "run.json", "summary.json"):
            (self.folder / "kept").write_text('{"secret": 1}\n')
            (self.out / name).unlink()
            (self.out / name).symlink_to(self.folder / "kept")
        self.assertEqual(server.ask("/api/series")[0], 404)
        self.assertNotIn(b"secret", server.ask("/api/info")[1])
        self.assertNotIn(b"secret", server.ask("/api/state")[1])

    def test_texts_of_a_scene_are_never_html(self):
        self.out = self.folder / "run"
        self.finish_scene(NASTY, self.out, BRIEF[1:])
        # A run folder of a stranger may say what no scene may.
        run = json.loads((self.out / "run.json").read_text())
        run["groups"], run["version"] = ["</script><b>bold</b>"], "<img src=x>"
        (self.out / "run.json").write_text(json.dumps(run))
        report = self.folder / "report.html"
        done = self.talus("report", self.out, "-o", report.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = report.read_text()
        self.assertEqual(page.count("<script"), 2)
        self.assertEqual(page.count("</script>"), 2)
        self.assertNotIn("<img", page.split('id="report">')[1].split("</script>")[0])
        self.assertNotRegex(page, r'(src|href)="?https?:')
        self.assertIn("Content-Security-Policy", page)
        server, _ = self.serve(self.out)
        self.assertEqual(server.ask("/api/info")[2]["Content-Type"], "application/json")

    def test_nonsense_is_answered_or_dropped_and_the_server_stays(self):
        server, process = self.run_and_serve()
        chance = random.Random(1)
        good = f"GET /api/state?frames=0&lines=0 HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Talus-Token: {server.token}\r\n\r\n".encode()
        for k in range(400):
            data = bytearray(good)
            for _ in range(chance.randrange(1, 8)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            if k % 4 == 0:
                data = data[:chance.randrange(len(data))]
            if k % 5 == 0:
                place = chance.randrange(len(data) or 1)
                data[place:place] = bytes(chance.randrange(256) for _ in range(chance.randrange(3000)))
            server.raw(bytes(data))
        for query in ("k=1e9", "k=99999999999999999999999", "k=now", "k=%00", "k=", "field=%2e%2e", "k=0&velocity=x", "k=0&field=" + "a" * 5000):
            self.assertLess(server.ask("/api/frame?" + query)[0], 500, query)
        for header in ("Range: bytes=" + "1-2," * 1500, "Range: bytes=0-0", "Accept-Encoding: gzip", "A: " + "b" * 100000, "Content-Length: -1",
                       "Transfer-Encoding: chunked", "Expect: 100-continue"):
            server.raw(good[:-2] + header.encode() + b"\r\n\r\n")
        self.assertIn(server.ask("/api/wish", method="POST", body="x" * 100000)[0], (400, 409, 413))
        self.assertEqual(server.ask("/api/wish", method="POST", body="stop")[0], 409)
        self.assertIsNone(process.poll())
        self.assertEqual(server.json("/api/state")["summary"]["status"], "finished")

    def test_slow_clients_and_those_that_go_away_keep_nobody_waiting(self):
        server, process = self.run_and_serve()
        slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(8)]
        for line in slow:
            line.sendall(b"GET /api/state HTTP/1.1\r\nHos")
        request = f"GET /api/frame?k=1&contacts=1 HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Talus-Token: {server.token}\r\n\r\n"
        for _ in range(20):  # gone before the answer is read
            line = socket.create_connection(("127.0.0.1", server.port))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.sendall(request.encode())
            line.close()
        begun = time.monotonic()
        server.json("/api/state")
        self.assertLess(time.monotonic() - begun, 3)
        for line in slow:
            line.close()
        self.assertIsNone(process.poll())

    def test_two_clients_see_the_same(self):
        server, _ = self.run_and_serve()
        seen, wrong = {}, []

        def look():
            for k in list(range(8)) * 3:
                data = server.ask(f"/api/frame?k={k}&field=force&contacts=1")
                if data[0] != 200 or seen.setdefault(k, data[1]) != data[1]:
                    wrong.append(k)

        clients = [threading.Thread(target=look) for _ in range(2)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        self.assertEqual(wrong, [])
        self.assertEqual(len(seen), 8)

    def test_a_folder_that_goes_away_or_is_damaged_is_told(self):
        server, process = self.run_and_serve()
        (self.out / "frames" / "bodies_000002.vtp").write_bytes(b"nonsense")
        status, text, headers = server.ask("/api/frame?k=2")
        self.assertEqual(status, 404)
        self.assertIn(b"is no PolyData of Talus", text)
        self.assertTrue(headers["Content-Type"].startswith("text/plain"))
        (self.out / "summary.json").write_text("[[[[")
        self.assertIsNone(server.json("/api/state")["summary"])
        shutil.rmtree(self.out)
        self.assertEqual(server.ask("/api/frame?k=1")[0], 404)
        self.assertEqual(server.ask("/api/series")[0], 404)
        self.assertEqual(server.json("/api/state")["frames"], 0)
        self.assertIsNone(process.poll())

    def test_a_folder_without_a_run_is_refused(self):
        for target in (self.folder / "probe" / "nothing", self.folder):
            done = self.talus("view", target, "--no-browser")
            self.assertEqual(done.returncode, 2, done.stderr)
        done = self.talus("view", self.folder / "probe", "--set", "run.time=1 s")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--set is for scenes", done.stderr)


class LiveViewer(ServerTest):
    def start_live(self, settings):
        self.out = self.folder / "live"
        process = self.start(self.command(SETTLE, self.out, settings, more=["--view"]))
        line = process.stderr.readline().strip()
        self.errors = []
        drain = threading.Thread(target=lambda: self.errors.extend(process.stderr), daemon=True)
        drain.start()
        return Served(line), process

    def wish(self, server, what):
        self.assertEqual(server.ask("/api/wish", method="POST", body=what)[0], 204)

    def progress(self, server):
        return server.json("/api/state").get("progress")

    def test_looking_does_not_change_the_result(self):
        alone = self.finish_scene(SETTLE, self.folder / "alone", ["output.plots=false", "run.time=40 ms"])
        server, process = self.start_live(["output.plots=false", "run.time=40 ms"])
        times = set()
        self.wait_until(lambda: self.progress(server))
        while self.progress(server):
            status, data, _ = server.ask("/api/frame?k=now&field=force&velocity=1&contacts=1")
            if status == 200:
                times.add(re.search(rb'"time":([^,}]*)', data)[1])
        process.wait(timeout=60)
        self.assertGreater(len(times), 3, f"of a run that took {self.summary(self.out)['wall_seconds']} s")
        self.assertEqual(self.summary(self.out)["state_hash"], alone["state_hash"])
        self.assertEqual((self.out / "series.csv").read_bytes(), (self.folder / "alone" / "series.csv").read_bytes())

    def test_a_run_can_be_paused_saved_and_stopped(self):
        server, process = self.start_live(["output.plots=false", "run.time=1000 s", "output.checkpoint=0"])
        self.wait_until(lambda: (self.progress(server) or {"steps": 0})["steps"] > 0)
        self.wish(server, "pause")
        self.wait_until(lambda: self.progress(server)["paused"])
        time.sleep(0.1)
        steps = self.progress(server)["steps"]
        time.sleep(0.3)
        self.assertEqual(self.progress(server)["steps"], steps)
        head, _ = server.frame("k=now&field=speed")
        self.assertAlmostEqual(head["time"], self.progress(server)["time"], delta=1e-12)
        self.assertFalse((self.out / "checkpoint.h5").exists())
        self.wish(server, "checkpoint")
        self.wait_until(lambda: (self.out / "checkpoint.h5").exists())
        self.wish(server, "go-on")
        self.wait_until(lambda: self.progress(server)["steps"] > steps)
        # None of this without the token, nor other wishes.
        for what in ("stop", "pause"):
            self.assertEqual(server.ask("/api/wish", token=False, method="POST", body=what)[0], 403)
        self.assertEqual(server.ask("/api/wish", method="POST", body="explode")[0], 400)
        self.assertIsNone(process.poll())
        self.wish(server, "stop")
        self.assertEqual(process.wait(timeout=60), 128 + signal.SIGTERM)
        self.assertEqual(self.summary(self.out)["status"], "interrupted")
        self.assertIn("by who looked on", self.summary(self.out)["message"])

    def test_signals_end_a_paused_run(self):
        server, process = self.start_live(["output.plots=false", "run.time=1000 s"])
        self.wait_until(lambda: (self.progress(server) or {"steps": 0})["steps"] > 0)
        self.wish(server, "pause")
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 128 + signal.SIGINT)

    def test_without_anyone_who_looks_the_command_ends_with_the_run(self):
        server, process = self.start_live(BRIEF)
        self.assertEqual(process.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main()
