"""moto's S3 on a free port of loopback, over HTTP/1.1.

Arguments: `signed` checks signatures and prints keys that may do all in S3; `hold=N` holds the uploads of
part N until the end; `busy=N` answers the first N uploads with SlowDown. `/_inspect` is what is stored, as
JSON, and `/_object/KEY` an object, for requests without a signature.
"""

import hashlib
import json
import logging
import os
import sys
import threading

options = dict(argument.partition("=")[::2] for argument in sys.argv[1:])
if "signed" in options:
    # The calls below, before signatures are checked.
    os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "4"

import boto3
from moto.core import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

logging.getLogger("werkzeug").setLevel(logging.ERROR)
WSGIRequestHandler.protocol_version = "HTTP/1.1"
BUCKET = "pages"
moto = DomainDispatcherApplication(create_backend_app)
lock = threading.Lock()
busy = int(options.get("busy", 0))
held = 0
ended = threading.Event()


def inspect():
    buckets = s3_backends[DEFAULT_ACCOUNT_ID]["aws"].buckets
    bucket = buckets[BUCKET]
    objects = [
        {
            "key": key,
            "size": len(item.value),
            "sha256": hashlib.sha256(item.value).hexdigest(),
            "type": item.metadata.get("Content-Type", "").partition(";")[0],
        }
        for key, item in bucket.keys.items()
    ]
    uploads = [upload.key_name for upload in bucket.multiparts.values()]
    return json.dumps({"objects": objects, "uploads": uploads}).encode()


def app(environment, start):
    global busy, held
    path = environment["PATH_INFO"]
    if path == "/_inspect":
        start("200 OK", [("Content-Type", "application/json")])
        return [inspect()]
    if path.startswith("/_object/"):
        item = s3_backends[DEFAULT_ACCOUNT_ID]["aws"].buckets[BUCKET].keys[path.removeprefix("/_object/")]
        start("200 OK", [("Content-Type", "application/octet-stream"), ("Content-Length", str(len(item.value)))])
        return [item.value]
    is_upload = environment["REQUEST_METHOD"] == "PUT" and path.count("/") > 1
    if is_upload and "partNumber=%s&" % options.get("hold") in environment["QUERY_STRING"] + "&":
        with lock:
            held += 1
            print("HELD", held, path, flush=True)
        ended.wait()
    with lock:
        is_busy = is_upload and busy > 0
        busy -= is_busy
    if is_busy:
        environment["wsgi.input"].read(int(environment.get("CONTENT_LENGTH") or 0))
        body = b"<Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>"
        start("503 Slow Down", [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
        return [body]
    return moto(environment, start)


server = make_server("127.0.0.1", 0, app, threaded=True)
server.socket.listen(1024)
server.daemon_threads = True
threading.Thread(target=server.serve_forever).start()
account = {
    "endpoint_url": "http://127.0.0.1:%d" % server.server_port,
    "region_name": "us-east-1",
    "aws_access_key_id": "setup",
    "aws_secret_access_key": "setup",
}
key = {"AccessKeyId": "access", "SecretAccessKey": "secret-of-the-test"}
if "signed" in options:
    iam = boto3.client("iam", **account)
    iam.create_user(UserName="worker")
    key = iam.create_access_key(UserName="worker")["AccessKey"]
    statement = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    iam.put_user_policy(UserName="worker", PolicyName="all", PolicyDocument=policy)
boto3.client("s3", **account).create_bucket(Bucket=BUCKET)
print("KEYS", key["AccessKeyId"], key["SecretAccessKey"], flush=True)
print("PORT", server.server_port, flush=True)
