"""httpbin on a free port of loopback, over HTTP/1.1, one connection for each request."""

import logging

from httpbin import app
from werkzeug.serving import WSGIRequestHandler, make_server

logging.getLogger("werkzeug").setLevel(logging.ERROR)
WSGIRequestHandler.protocol_version = "HTTP/1.1"

server = make_server("127.0.0.1", 0, app, threaded=True)
server.socket.listen(1024)
server.daemon_threads = True
print("PORT", server.server_port, flush=True)
server.serve_forever()
