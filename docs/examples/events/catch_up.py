# Stores all events since the last run: KEY=sk_… API=https://… python3 catch_up.py events.db
import json
import os
import sqlite3
import sys
import urllib.parse
import urllib.request

api = os.environ.get("API", "http://127.0.0.1:8080")
headers = {"Authorization": f"Bearer {os.environ['KEY']}"}
db = sqlite3.connect(sys.argv[1])
db.executescript(
    """CREATE TABLE IF NOT EXISTS events (event_id TEXT PRIMARY KEY, event_type TEXT, user_id TEXT);
       CREATE TABLE IF NOT EXISTS place (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), cursor TEXT)"""
)

taken, has_more = 0, True
while has_more:
    place = db.execute("SELECT cursor FROM place").fetchone()
    query = {"limit": 500} | ({"cursor": place[0]} if place else {})
    request = urllib.request.Request(f"{api}/v1/events?{urllib.parse.urlencode(query)}", headers=headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        page = json.load(response)

    # Events and cursor in one transaction: a crash never leaves one without the other.
    with db:
        rows = [(event["event_id"], event["event_type"], event["user_id"]) for event in page["events"]]
        db.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
        db.execute("INSERT OR REPLACE INTO place VALUES (1, ?)", (page["cursor"],))

    taken += len(page["events"])
    has_more = page["has_more"]
print(taken, "new events")
