# Receives webhooks without a library: WEBHOOK_SECRET=whsec_… PORT=4002 python3 plain_receiver.py
import base64
import hashlib
import hmac
import json
import os
import queue
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


def verify(key, headers, body):
    """Returns the event if these bytes were signed with the key within five minutes of now. Raises ValueError otherwise."""
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        raise ValueError("The request is too old, or one of the clocks is wrong.")
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # There are several signatures while a secret is rotated. One match is enough.
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(signature, expected) for signature in signatures):
        raise ValueError("The signature does not match.")
    return json.loads(body)


KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"), validate=True)
PORT = int(os.environ.get("PORT", "4002"))
MOST_BYTES = 65_536
if not KEY:
    sys.exit("WEBHOOK_SECRET is empty, so anyone could sign requests.")

# A real receiver uses a table: INSERT … ON CONFLICT (event_id) DO NOTHING shows whether the event is new.
KEPT = {}
WAITING = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return self.answer(413)
        # The raw bytes: a body that is parsed and serialized again has a different signature.
        body = self.rfile.read(int(length))
        try:
            event = verify(KEY, self.headers, body)
        except ValueError as error:
            return self.answer(400, str(error).encode())
        if KEPT.setdefault(event["event_id"], event) is event:
            WAITING.put(event)
        self.answer(204)

    def answer(self, status, text=b""):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def work():
    """Runs after the response is sent: read the changed data from the API here, history (backfill) last."""
    while True:
        event = WAITING.get()
        data = event["data"]
        kind = "test" if data.get("test") else "history" if data.get("backfill") else "new"
        dates = data.get("first_date", "-"), data.get("last_date", "-")
        print(event["event_type"], event["event_id"], event["user_id"], *dates, kind, flush=True)


threading.Thread(target=work, daemon=True).start()
server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print("listening on", PORT, flush=True)
server.serve_forever()
