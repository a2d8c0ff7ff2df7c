"""API tokens of readers: made and revoked on "Your account", and found by their secret."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from digest.core.subscribers.api_tokens import (
    MAX_OPERATE_LIFETIME,
    MAX_TOKENS,
    NEW_TOKEN_RATE,
    ApiToken,
    Scope,
    TokenChoice,
    TokenError,
    TokenMistake,
    hash_api_token,
    hash_form_key,
    make_api_token,
)
from digest.core.subscribers.sessions import SESSION_LIFETIME, Session
from digest.errors import ConfigError
from digest.jobs.subscribers.own_digests import END_OF_NUMBERS, NotOwnError
from digest.store.database.engine import Store, Transaction
from digest.store.operations.audit import Actor, ActorKind, AuditAction, record_change
from digest.store.publishing import request_rates
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.store.subscribers.accounts.signups import use_link
from digest.store.subscribers.tokens import api_tokens as rows


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """A token that was just made; nothing but this object has its secret.

    Attributes:
        secret: the token itself.
        name: its name.
        expires_at: when it ends.
    """

    secret: str = field(repr=False)
    name: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenService:
    """Makes, lists, finds and revokes tokens.

    Attributes:
        store: the store.
        operators: the addresses of operators, in lower case.
    """

    store: Store
    operators: frozenset[str]

    def is_operator(self, address: str) -> bool:
        """Whether the reader with an address operates the service."""
        return address.lower() in self.operators

    def make_token(self, session: Session, choice: TokenChoice, form_key: str, now: datetime) -> NewToken:
        """Make a token for the reader of a session.

        Args:
            session: the session.
            choice: what the reader chose.
            form_key: the random text of the form, which makes one token only.
            now: the current time, UTC.

        Raises:
            NotOwnError: the reader has deleted everything.
            TokenError: the form was sent before, the name is taken, there are or were too many tokens, nothing is left of
                the scopes because only operators have them, or the scope ``operate`` needs a newer session or a shorter
                lifetime.
        """
        scopes = self._check_scopes(session, choice, now)
        secret = make_api_token()
        with self.store.begin_write() as tx:
            if not rows.lock_reader(tx, session.subscriber):
                raise NotOwnError
            form_hash = hash_form_key(session.subscriber, form_key)
            # The form is valid as long as the session at most, so it need not be remembered for longer.
            if not use_link(tx, form_hash, now + SESSION_LIFETIME):
                raise TokenError(TokenMistake.REPEATED_FORM)
            present = _forget_over(tx, session.subscriber, now)
            if len(present) >= MAX_TOKENS:
                raise TokenError(TokenMistake.TOO_MANY_TOKENS)
            if choice.name in {token.name for token in present}:
                raise TokenError(TokenMistake.NAME_TAKEN)
            rates = {f"new-tokens:{session.subscriber}": NEW_TOKEN_RATE}
            if not request_rates.take_request(tx, rates, now):
                raise TokenError(TokenMistake.TOO_MANY_NEW)
            chosen = TokenChoice(name=choice.name, scopes=scopes, lifetime=choice.lifetime)
            number = rows.add_token(tx, hash_api_token(secret), session.subscriber, chosen, now)
            if Scope.OPERATE in scopes:
                record_change(tx, _make_operator(session), AuditAction.MAKE_TOKEN, f"token {number}", 1, now)
        return NewToken(secret=secret, name=choice.name, expires_at=now + choice.lifetime)

    def _check_scopes(self, session: Session, choice: TokenChoice, now: datetime) -> frozenset[Scope]:
        """Return the scopes that a reader gets.

        Raises:
            TokenError: there are none, or the scope ``operate`` needs a newer session or a shorter lifetime.
        """
        scopes = choice.scopes if self.is_operator(session.address) else choice.scopes - {Scope.OPERATE}
        if not scopes:
            raise TokenError(TokenMistake.NO_SCOPE)
        if Scope.OPERATE in scopes:
            # A browser that somebody left open must not be used for them, as on the operator's pages.
            if not session.is_new(now):
                raise TokenError(TokenMistake.OLD_SESSION)
            if choice.lifetime > MAX_OPERATE_LIFETIME:
                raise TokenError(TokenMistake.LONG_OPERATE)
        return scopes

    def find_token(self, secret: str, now: datetime) -> ApiToken | None:
        """Return a token by its secret; None if there is none, or it is over."""
        token_hash = hash_api_token(secret)
        if not token_hash:
            return None
        with self.store.begin_read() as tx:
            token = rows.load_token(tx, token_hash)
        return token if token is not None and token.is_live(now) else None

    def list_tokens(self, subscriber: int, now: datetime) -> tuple[ApiToken, ...]:
        """Return the tokens of a reader that are not over, newest first."""
        with self.store.begin_read() as tx:
            return tuple(token for token in rows.list_tokens(tx, subscriber) if token.is_live(now))

    def revoke_token(self, session: Session, number: int, now: datetime) -> None:
        """Revoke a token of the reader of a session; the number of another one changes nothing.

        Args:
            session: the session.
            number: the number of the token.
            now: the current time, UTC.
        """
        with self.store.begin_write() as tx:
            tokens = {token.id: token for token in rows.list_tokens(tx, session.subscriber)}
            is_revoked = rows.revoke_token(tx, session.subscriber, number)
            if is_revoked and Scope.OPERATE in tokens[number].scopes:
                record_change(
                    tx, _make_operator(session), AuditAction.REVOKE_TOKEN, f"token {number}", 1, now
                )


def make_token_service(store: Store, operators: Iterable[str]) -> TokenService:
    """Return what makes and finds tokens.

    Args:
        store: the store.
        operators: the addresses of operators.
    """
    return TokenService(store=store, operators=frozenset(address.lower() for address in operators))


def list_tokens_of(store: Store, address: str, now: datetime) -> tuple[ApiToken, ...]:
    """Return the tokens of the reader with an address that are not over, newest first.

    Raises:
        ConfigError: no reader has this address.
    """
    with store.begin_read() as tx:
        subscriber = _require_subscriber(tx, address)
        return tuple(token for token in rows.list_tokens(tx, subscriber) if token.is_live(now))


def revoke_tokens_of(store: Store, address: str, numbers: Sequence[int], actor: Actor, now: datetime) -> None:
    """Revoke tokens of the reader with an address, all or none, and record who did it.

    Args:
        store: the store.
        address: the address.
        numbers: the numbers of the tokens.
        actor: who revokes them.
        now: the current time, UTC.

    Raises:
        ConfigError: no reader has this address, or the reader has no token with one of the numbers.
    """
    with store.begin_write() as tx:
        subscriber = _require_subscriber(tx, address)
        for number in dict.fromkeys(numbers):
            if number >= END_OF_NUMBERS or not rows.revoke_token(tx, subscriber, number):
                raise ConfigError(
                    f"{address} has no token {number}; `digest subscribers tokens {address}` lists all"
                )
            record_change(tx, actor, AuditAction.REVOKE_TOKEN, f"token {number}", 1, now)


def make_token_actor(token: ApiToken) -> Actor:
    """Return who changes or reads something by a token.

    Its name is for its reader only, and is deleted with it; the audit log has its number.
    """
    return Actor(kind=ActorKind.TOKEN, subscriber=token.subscriber, name=f"token {token.id}")


def _make_operator(session: Session) -> Actor:
    """Return who makes or revokes a token with the scope ``operate``."""
    return Actor(kind=ActorKind.OPERATOR, subscriber=session.subscriber)


def _forget_over(tx: Transaction, subscriber: int, now: datetime) -> tuple[ApiToken, ...]:
    """Delete the tokens of a reader that are over, so that they take no room and no name, and return the others."""
    tokens = rows.list_tokens(tx, subscriber)
    for token in tokens:
        if not token.is_live(now):
            rows.revoke_token(tx, subscriber, token.id)
    return tuple(token for token in tokens if token.is_live(now))


def _require_subscriber(tx: Transaction, address: str) -> int:
    subscriber = find_subscriber_id(tx, address.lower())
    if subscriber is None:
        raise ConfigError(f"no reader of the site has the address {address}")
    return subscriber
