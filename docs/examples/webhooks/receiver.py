# Receives webhooks: pip install flask standardwebhooks; WEBHOOK_SECRET=whsec_… PORT=4002 python3 receiver.py
import os
import queue
import threading

from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 65_536

# A real receiver uses a table: INSERT … ON CONFLICT (event_id) DO NOTHING shows whether the event is new.
kept = {}
waiting = queue.Queue()


@app.post("/hooks")
def receive():
    # The raw bytes: a body that is parsed and serialized again has a different signature.
    body = request.get_data()
    try:
        event = webhook.verify(body, dict(request.headers))
    except (WebhookVerificationError, ValueError):  # ValueError: the header is not a signature
        return "The signature does not match.", 400
    if kept.setdefault(event["event_id"], event) is event:
        waiting.put(event)
    return "", 204


def work():
    """Runs after the response is sent: read the changed data from the API here, history (backfill) last."""
    while True:
        event = waiting.get()
        data = event["data"]
        kind = "test" if data.get("test") else "history" if data.get("backfill") else "new"
        dates = data.get("first_date", "-"), data.get("last_date", "-")
        print(event["event_type"], event["event_id"], event["user_id"], *dates, kind, flush=True)


if __name__ == "__main__":
    threading.Thread(target=work, daemon=True).start()
    app.run("127.0.0.1", int(os.environ.get("PORT", "4002")))
