"""What Palp raises and warns of."""


class Error(Exception):
    """What went wrong, where, and what to do about it.

    message, file, line, column (from 1; 0 is unknown), remedy; `errors` holds all that was found, this one first.
    """

    def __init__(self, message, file="", line=0, column=0, remedy="", errors=None):
        self.message, self.file, self.line, self.column, self.remedy = message, file, line, column, remedy
        self.errors = errors or [self]
        place = ":".join([file] + [str(n) for n in (line, column) if n]) if file else ""
        text = (place + ": " if place else "") + message + (f" ({remedy})" if remedy else "")
        if len(self.errors) > 1:
            text += "".join("\n" + str(other) for other in self.errors[1:])
        super().__init__(text)


class SceneWarning(UserWarning):
    """What looks suspicious in a scene: units, mesh quality, bodies that overlap."""
