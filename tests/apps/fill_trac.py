"""Make a ticket of each row given as JSON. Run as `fill_trac.py ENVIRONMENT`, apart from pytest."""

import json
import sys

from trac.env import open_environment
from trac.ticket.model import Ticket

environment = open_environment(sys.argv[1])
for row in json.load(sys.stdin):
    ticket = Ticket(environment)
    ticket.populate(
        {
            "summary": row["title"],
            "description": row["note"],
            "reporter": row["maker"],
            "status": "new",
        }
    )
    ticket.insert()
