"""Certificates that are replaced while the gateway uses them: roots, the upstream's, the client's."""

import os
import subprocess

_NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]


class Certificates:
    """In a folder: `roots.pem`, which the gateway trusts; `server.pem` and `.key` for nginx; `clients.pem`,
    the root of clients' certificates; `identity/`, a link to the folder of the current client's
    certificate and key, so that both are replaced at once."""

    def __init__(self, home):
        self.home = home
        self.server_generation = 0
        self.client_generation = 0
        home.mkdir()
        self._root("clients", "Soak clients")
        self.add_root()
        self.forget_old_roots()
        self.renew_server()
        self.renew_client()

    @property
    def identity(self):
        return self.home / "identity"

    @property
    def subject(self):
        """The current client's, as nginx writes it."""
        return f"CN=client-{self.client_generation}"

    def add_root(self):
        """Makes a further root, and trusts it beside the former one."""
        self.server_generation += 1
        self._root(self._root_name, f"Soak root {self.server_generation}")
        former = self.home / f"root-{self.server_generation - 1}.pem"
        self._trust(former, self.home / f"{self._root_name}.pem")

    def forget_old_roots(self):
        self._trust(self.home / f"{self._root_name}.pem")

    def renew_server(self):
        """The server's certificate by the last root; it is used when nginx reads its files again."""
        (self.home / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        self._leaf("server", "localhost", self._root_name, "-extfile", "names")

    def renew_client(self):
        self.client_generation += 1
        folder = self.home / f"client-{self.client_generation}"
        self._leaf("client", f"client-{self.client_generation}", "clients")
        folder.mkdir()
        os.rename(self.home / "client.pem", folder / "certificate.pem")
        os.rename(self.home / "client.key", folder / "key.pem")
        (self.home / "link").symlink_to(folder.name)
        os.replace(self.home / "link", self.identity)

    @property
    def _root_name(self):
        return f"root-{self.server_generation}"

    def _trust(self, *files):
        data = b"".join(file.read_bytes() for file in files if file.exists())
        (self.home / "roots.new").write_bytes(data)
        os.replace(self.home / "roots.new", self.home / "roots.pem")

    def _root(self, name, subject):
        self._openssl("req", "-x509", *_NEW_KEY, "-days", "30", "-subj", f"/CN={subject}",
                      "-keyout", f"{name}.key", "-out", f"{name}.pem")

    def _leaf(self, name, subject, issuer, *others):
        self._openssl("req", *_NEW_KEY, "-subj", f"/CN={subject}", "-keyout", f"{name}.key",
                      "-out", f"{name}.csr")
        self._openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{issuer}.pem", "-CAkey",
                      f"{issuer}.key", "-CAcreateserial", "-days", "30", "-out", f"{name}.pem", *others)

    def _openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.home, check=True, capture_output=True)
