"""What the operator's pages consist of: blocks with rows, tables, forms and buttons. One template shows them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from digest.render.papers.links import Link


class OperatorButton(NamedTuple):
    """A button, in a form of its own that posts.

    Attributes:
        label: its text.
        action: the address to which it posts.
        fields: the names and values that it posts.
        spoken: its text for screen readers, which have to tell it from the others; "" if its text is enough.
        is_primary: whether it is what the page is for.
    """

    label: str
    action: str
    fields: tuple[tuple[str, str], ...]
    spoken: str = ""
    is_primary: bool = False


class OperatorRow(NamedTuple):
    """An entry of a list.

    Attributes:
        title: its first line.
        href: where the first line leads to; "" if nowhere.
        details: further lines.
        is_problem: whether it needs the operator.
        buttons: what can be done about it.
        links: pages that ask before something is done.
    """

    title: str
    href: str = ""
    details: tuple[str, ...] = ()
    is_problem: bool = False
    buttons: tuple[OperatorButton, ...] = ()
    links: tuple[Link, ...] = ()


class OperatorTable(NamedTuple):
    """A table of numbers.

    Attributes:
        columns: the headings.
        rows: the cells of each row; the first one is its heading.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class OperatorField(NamedTuple):
    """A field of a form.

    Attributes:
        name: the name that is sent.
        label: what it is for.
        value: what is in it.
        options: the values and texts to choose from; empty if something is typed.
        is_number: whether a number is typed, for which phones show other keys.
        is_required: whether it must not be empty.
    """

    name: str
    label: str
    value: str = ""
    options: tuple[tuple[str, str], ...] = ()
    is_number: bool = False
    is_required: bool = False


class OperatorForm(NamedTuple):
    """A form with fields. It posts, so that what somebody types is in no address.

    Attributes:
        action: where it is sent to.
        fields: its fields.
        label: the text of its button.
        purpose: what it does, in one word.
    """

    action: str
    fields: tuple[OperatorField, ...]
    label: str
    purpose: str


class OperatorBlock(NamedTuple):
    """A part of a page.

    Attributes:
        heading: its heading; "" for none.
        lines: what is said first; commands stand between back quotes.
        rows: a list.
        table: a table; None for none.
        empty: what is said in place of a list or a table without entries; "" for nothing.
        forms: forms with fields.
        buttons: buttons.
        links: links.
    """

    heading: str = ""
    lines: tuple[str, ...] = ()
    rows: tuple[OperatorRow, ...] = ()
    table: OperatorTable | None = None
    empty: str = ""
    forms: tuple[OperatorForm, ...] = ()
    buttons: tuple[OperatorButton, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def has_entries(self) -> bool:
        """Whether its list or its table has entries."""
        return bool(self.rows or (self.table and self.table.rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorContent:
    """A page.

    Attributes:
        title: its title.
        section: the path of the section that it belongs to.
        message: what a button has just done; "" for nothing.
        blocks: its parts.
        pages: links to other pages of the same list.
    """

    title: str
    section: str
    message: str = ""
    blocks: tuple[OperatorBlock, ...]
    pages: tuple[Link, ...] = ()
