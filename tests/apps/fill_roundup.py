"""Make an issue of each row given as JSON. Run as `fill_roundup.py TRACKER`, apart from pytest."""

import json
import sys

from roundup import instance

database = instance.open(sys.argv[1]).open("admin")
for row in json.load(sys.stdin):
    note = database.msg.create(content=row["note"], author="1")
    state = database.status.lookup(row["state"])
    database.issue.create(title=row["title"], messages=[note], status=state, priority="3")
database.commit()
database.close()
