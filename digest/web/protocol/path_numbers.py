"""Numbers in paths. The framework's own kind takes any number of digits, and fails on those that Python does not read."""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor

PATH_NUMBER = "number"
"""Name of this kind in the path of a route: ``{digest_id:number}``."""


class _NumberConvertor(Convertor[int]):
    """A number that databases can look up: at most 18 digits."""

    regex = "[0-9]{1,18}"

    def convert(self, value: str) -> int:
        """Return the number of a text."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Return the text of a number."""
        return str(value)


register_url_convertor(PATH_NUMBER, _NumberConvertor())
