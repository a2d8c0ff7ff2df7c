"""Lists of words that the package ships as text files."""

from __future__ import annotations

from importlib.resources import files


def load_words(package: str, file_name: str) -> list[str]:
    """Load the words of a list, in their order.

    Args:
        package: the package that contains the file.
        file_name: a text file in UTF-8: words separated by white space, and comment lines that begin with ``#``.
    """
    lines = files(package).joinpath(file_name).read_text("utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]
