"""A server of streams for the tests: `server.py FOLDER PORT` serves the files of FOLDER, and prints a line when it does.

What it does with a file is in the query, such as /tone.mp3?mode=drop&bytes=65536. `/sent` tells how many bytes of bodies
it has handed to the kernel, and `/stop` ends it.
"""

import base64
import gzip
import hashlib
import os
import random
import socket
import sys
import threading
import time
import urllib.parse
import zlib

folder = sys.argv[1]
lock = threading.Lock()
sent = 0
connections = 0
began = {}


def send(link, data):
    global sent
    with memoryview(data) as view:
        done = 0
        while done < len(view):
            count = link.send(view[done : done + 4096])
            done += count
            with lock:
                sent += count


def head(link, status, *fields):
    link.sendall(("\r\n".join((status,) + fields) + "\r\n\r\n").encode("latin-1"))


def paced(link, data, rate, start=0.0, seconds=1e9):
    """At `rate` bytes a second, the first `start` seconds of it at once, the data over and over."""
    begin = time.monotonic()
    place = 0
    while time.monotonic() - begin < seconds:
        due = int((time.monotonic() - begin + start) * rate)
        while place < due:
            offset = place % len(data)
            piece = data[offset : offset + min(1440, due - place)]
            send(link, piece)
            place += len(piece)
        time.sleep(0.01)


def with_titles(data, interval, titles):
    pieces = []
    for index in range(0, len(data), interval):
        piece = data[index : index + interval]
        pieces.append(piece)
        if len(piece) < interval:
            break
        text = titles[index // interval % len(titles)]
        text += b"\0" * (-len(text) % 16)
        pieces.append(bytes([len(text) // 16]) + text)
    return b"".join(pieces)


def hostile(link, seed):
    rand = random.Random(seed)
    kind = seed % 12
    if kind == 0:
        link.sendall(rand.randbytes(rand.randrange(1, 100_000)))
    elif kind == 1:
        link.sendall(b"HTTP/1.1 200 OK\r\n")
        for _ in range(20_000):
            link.sendall(b"X-" + rand.randbytes(8).hex().encode() + b": " + b"a" * 200 + b"\r\n")
    elif kind == 2:
        head(link, "HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Type: audio/mpeg", "Transfer-Encoding: gzip")
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        send(link, packer.compress(bytes(50_000_000)) + packer.flush())
    elif kind == 3:
        head(link, "HTTP/1.1 302 Found", "Location: /again?mode=hostile&seed=" + str(seed), "Content-Length: 0")
    elif kind == 4:
        head(link, "HTTP/1.1 302 Found", "Location: " + rand.choice(
            ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:70/", "dict://127.0.0.1/", "scp://x/",
             "http://169.254.169.254/latest", "http://10.0.0.1/", "http://[::1]/", "http://localhost:1/",
             "http://0.0.0.0:1/", "http://2130706433/", "http://[::ffff:10.0.0.1]/", "//192.168.0.1/x", "::::", ""]),
            "Content-Length: 0")
    elif kind == 5:
        head(link, "ICY 200 OK", "icy-metaint: 1", "Content-Type: audio/mpeg")
        for _ in range(200):
            send(link, b"x\xff" + rand.randbytes(4080))
    elif kind == 6:
        head(link, "ICY 200 OK", "icy-metaint: " + rand.choice(["-1", "99999999999999999999", "16777217", "x"]),
             "icy-name: " + "n" * 5000, "Content-Type: audio/mpeg", "Content-Length: 200000")
        send(link, rand.randbytes(200_000))
    elif kind == 7:
        head(link, "HTTP/1.1 200 OK", "Content-Type: audio/x-scpls")
        for index in range(20_000):
            send(link, b"File%d=http://127.0.0.1:1/%s\r\n" % (index, b"y" * rand.randrange(300)))
    elif kind == 8:
        head(link, "HTTP/1.1 200 OK", "Content-Length: " + rand.choice(["-5", "0", "18446744073709551616", "1e9"]),
             "Content-Length: 7")
        link.sendall(rand.randbytes(1000))
    elif kind == 9:
        head(link, "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Content-Type: audio/mpeg")
        link.sendall(rand.choice([b"ffffffffffffffff\r\n", b"-1\r\n", b"zz\r\n", b"4\r\nab"]) + rand.randbytes(5000))
    elif kind == 10:
        for _ in range(50):
            link.sendall(b"HTTP/1.1 100 Continue\r\nX: " + b"b" * 2000 + b"\r\n\r\n")
        head(link, "HTTP/1.1 %d Odd" % rand.choice([204, 206, 299, 304, 404, 416, 500, 999]), "Content-Range: bytes 5-4/x")
    else:
        data = b"ID3\x04\x00\x00" + rand.randbytes(rand.randrange(100_000))
        head(link, "HTTP/1.1 200 OK", "Content-Type: audio/mpeg", "Content-Length: %d" % len(data))
        link.sendall(data)


def is_let_in(kind, claim, target):
    """Whether an Authorization of this kind is that of user "me" and password "secret"."""
    if kind == "basic":
        return claim == "Basic " + base64.b64encode(b"me:secret").decode()
    if not claim.startswith("Digest "):
        return False
    said = {name.strip(): value.strip(' "') for name, value in (part.split("=", 1) for part in claim[7:].split(","))}
    md5 = lambda text: hashlib.md5(text.encode()).hexdigest()
    words = (md5("me:here:secret"), "4711", said["nc"], said["cnonce"], "auth", md5("GET:" + target))
    return said["response"] == md5(":".join(words))


def serve(link, address):
    global connections
    try:
        link.settimeout(60)
        request = b""
        while b"\r\n\r\n" not in request:
            part = link.recv(4096)
            if not part:
                return
            request += part
        with lock:
            connections += 1
        lines = request.decode("latin-1").split("\r\n")
        target = urllib.parse.urlsplit(lines[0].split(" ")[1])
        query = {key: values[0] for key, values in urllib.parse.parse_qs(target.query).items()}
        fields = {line.split(":")[0].lower(): line.split(":", 1)[1].strip() for line in lines[1:] if ":" in line}
        answer(link, lines[0].split(" ")[1], target.path, query, fields)
    except OSError:
        pass
    finally:
        try:
            link.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        link.close()


def answer(link, whole, path, query, fields):
    mode = query.get("mode", "plain")
    if mode in ("basic", "digest") and not is_let_in(mode, fields.get("authorization", ""), whole):
        if mode == "digest" and fields.get("authorization", "").startswith("Basic"):
            return head(link, "HTTP/1.1 500 The password came readable", "Content-Length: 0")
        challenge = 'Basic realm="here"' if mode == "basic" else 'Digest realm="here", nonce="4711", qop="auth"'
        return head(link, "HTTP/1.1 401 Unauthorized", "WWW-Authenticate: " + challenge, "Content-Length: 0")
    if path == "/sent":
        return head(link, "HTTP/1.1 200 OK", "Content-Length: %d" % len(str(sent))) or link.sendall(str(sent).encode())
    if path == "/connections":
        text = str(connections - 1)
        return head(link, "HTTP/1.1 200 OK", "Content-Length: %d" % len(text)) or link.sendall(text.encode())
    if path == "/stop":
        head(link, "HTTP/1.1 200 OK", "Content-Length: 0")
        os._exit(0)
    if mode == "hostile":
        return hostile(link, int(query["seed"]))
    if mode == "redirect":
        return head(link, "HTTP/1.1 302 Found", "Location: " + query["to"], "Content-Length: 0")
    if mode == "hops" and int(query["left"]) > 0:
        return head(link, "HTTP/1.1 302 Found", "Location: %s?mode=hops&left=%d" % (path, int(query["left"]) - 1),
                    "Content-Length: 0")
    if mode == "cookie" and "listener=1" not in fields.get("cookie", ""):
        return head(link, "HTTP/1.1 302 Found", "Set-Cookie: listener=1; Path=/", "Location: " + path + "?mode=cookie",
                    "Content-Length: 0")
    if mode == "busy" and connections < 2:
        return head(link, "HTTP/1.1 503 Service Unavailable", "Retry-After: 1", "Content-Length: 0")
    if mode == "status":
        return head(link, "HTTP/1.1 %s Status" % query["status"], "Content-Length: 0")
    with open(folder + path, "rb") as file:
        data = file.read()
    if mode == "bare":
        # With exactly this header, whose lines "|" separates, and perhaps compressed.
        link.sendall(query["head"].replace("|", "\r\n").encode("latin-1") + b"\r\n\r\n")
        return send(link, gzip.compress(data) if "packed" in query else data)
    kind = query.get("type", "audio/mpeg")
    rate = float(query.get("rate", "16000"))
    if mode == "icy":
        interval = int(query.get("interval", "8192"))
        titles = [title.encode(query.get("charset", "utf-8")) for title in query.get("titles", "StreamTitle='One';|StreamTitle='Two';").split("|")]
        head(link, "ICY 200 OK", "icy-name: Test Station", "icy-metaint: %d" % interval, "content-type: " + kind)
        send(link, with_titles(data, interval, titles))
        # A live stream does not end by itself.
        time.sleep(float(query.get("linger", "60")))
        return None
    if mode == "live":
        head(link, "HTTP/1.0 200 OK", "Content-Type: " + kind)
        return paced(link, data, rate, float(query.get("burst", "0")), float(query.get("seconds", "1e9")))
    first = 0
    if "range" in fields and query.get("ranges") == "refused":
        return head(link, "HTTP/1.1 416 Range Not Satisfiable", "Content-Range: bytes */%d" % len(data),
                    "Content-Length: 0")
    if "range" in fields and query.get("ranges") != "no":
        first = int(fields["range"].split("=")[1].split("-")[0])
        head(link, "HTTP/1.1 206 Partial Content", "Content-Type: " + kind,
             "Content-Range: bytes %d-%d/%d" % (first, len(data) - 1, len(data)),
             "Content-Length: %d" % (len(data) - first))
    else:
        head(link, "HTTP/1.1 200 OK", "Content-Type: " + kind, "Content-Length: %d" % len(data))
    data = data[first:]
    if mode == "trickle":
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for index in range(len(data)):
            send(link, data[index : index + 1])
    elif mode == "stall":
        send(link, data[: int(query["bytes"])])
        time.sleep(float(query["seconds"]))
        send(link, data[int(query["bytes"]) :])
    elif mode == "drop" and (connections < 2 or "once" not in query):
        send(link, data[: int(query["bytes"])])
    else:
        send(link, data)


listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(sys.argv[2])))
listener.listen(128)
print("listening", flush=True)
while True:
    link, address = listener.accept()
    threading.Thread(target=serve, args=(link, address), daemon=True).start()
