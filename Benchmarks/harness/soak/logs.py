"""What an upstream has written of its requests; read as it grows."""

import time


class Posts:
    """The requests with POST that have arrived at any upstream, by their numbers."""

    def __init__(self):
        self.numbers = set()
        self.repeated = []

    def add(self, number):
        if number in self.numbers:
            self.repeated.append(number)
        self.numbers.add(number)


class Log:
    def __init__(self, path, posts, has_identity=False):
        self.count = 0
        # When a client's subject, and a generation of the server's certificate, were seen first and last.
        self.subjects = {}
        self.generations = {}
        # When a request was seen last.
        self.last = None
        self._path = path
        self._posts = posts
        self._has_identity = has_identity
        self._offset = 0

    def read(self):
        """Reads what has been written since."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:
            return
        # The last line may be incomplete.
        data = data[:data.rfind(b"\n") + 1]
        self._offset += len(data)
        if not data:
            return
        self.last = time.monotonic()
        self._take(data)

    def _take(self, data):
        self.count += data.count(b"\n")
        lines = data.split(b"\n")[:-1]
        if self._has_identity:
            self._take_identities(set(line.split(b" ", 1)[1] for line in lines if b" " in line))
            lines = [line.split(b" ", 1)[0] for line in lines]
        for line in lines:
            if line.isdigit():
                self._posts.add(int(line))

    def _take_identities(self, ends):
        for end in ends:
            subject, _, generation = end.decode("utf-8", "replace").rpartition(" ")
            for seen, key in ((self.subjects, subject), (self.generations, generation)):
                first, _ = seen.get(key, (self.last, None))
                seen[key] = (first, self.last)
