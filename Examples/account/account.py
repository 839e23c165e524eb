#!/usr/bin/env python3
"""Account: shows the login that the app keeps in the folder that they share, INTENTD_GROUP.

Without the app's data the widget shows its logged-out content: the app never ran, the person logged
out, or this widget may not have the folder. It never writes there; the app does, see account-app.py.
"""
import json
import os
import sys

request = json.load(sys.stdin)
group = os.environ.get("INTENTD_GROUP")
login = None
if group:
    try:
        with open(os.path.join(group, "login.json"), encoding="utf-8") as file:
            login = json.load(file)
    except FileNotFoundError:
        pass
if login is None:
    content = {"title": "Account", "text": "Logged out: open the app to log in", "short": "logged out",
               "symbol": "user"}
else:
    unread = login["unread"]
    content = {"title": login["user"], "text": f"{unread} unread", "short": f"{login['user']}: {unread}",
               "symbol": "user"}
# The app says when something changed, so nobody asks by the clock.
print(json.dumps({"entries": [{"date": request["now"], "content": content}], "policy": "never"}))
