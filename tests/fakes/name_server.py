"""A name server of the tests' own, on loopback: what it knows is a table."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Self

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdataclass
import dns.rdatatype
import dns.rrset


class NameServer(AbstractContextManager["NameServer"]):
    """Answers questions by UDP, in a thread.

    Attributes:
        address: ``127.0.0.1:PORT``.
        questions: ``name KIND``, in the order asked.
    """

    def __init__(self, table: Mapping[str, list[str]]) -> None:
        """What it knows.

        Args:
            table: by ``name KIND``, records as zone files have them; ``["broken"]`` for a name that it fails at.
        """
        self._table = table
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address = "{}:{}".format(*self._socket.getsockname())
        self.questions: list[str] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._socket.sendto(b"", self._socket.getsockname())
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while True:
            question, asker = self._socket.recvfrom(4096)
            if not question:
                return
            self._socket.sendto(self._answer(dns.message.from_wire(question)).to_wire(), asker)

    def _answer(self, question: dns.message.Message) -> dns.message.Message:
        (rrset,) = question.question
        name, kind = rrset.name.to_text(omit_final_dot=True), dns.rdatatype.to_text(rrset.rdtype)
        self.questions.append(f"{name} {kind}")
        answer = dns.message.make_response(question, recursion_available=True)
        answer.flags |= dns.flags.AA
        results = self._table.get(f"{name} {kind}")
        if results == ["broken"]:
            answer.set_rcode(dns.rcode.SERVFAIL)
        elif results:
            answer.answer.append(dns.rrset.from_text_list(rrset.name, 60, "IN", kind, results))
        elif not any(known.partition(" ")[0] == name for known in self._table):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        return answer
