"""HTTP as the check sends it: with the standard library, one connection each."""

import http.client
import json


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.fields = response.headers
        self.body = response.read()

    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The name of the gateway's error."""
        return self.json()["error"]["code"]


def get(gateway, path, headers=None, method="GET", body=None):
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=20)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        return Answer(connection.getresponse())
    finally:
        connection.close()
