"""Accounts: a name and a password with which a person signs in on another device, for those who want them.

Passwords are hashed by Argon2id (RFC 9106, parameters of OWASP's Password Storage Cheat Sheet) in one thread, one at a
time: who waits occupies no thread of the server. A name that is unknown costs the same work as one that is known, and
has the same response.

Attempts are limited for an address, for a name at an address, and for a name at all addresses together. The last limit
does not hold where a name was used with success since the server started, so that strangers cannot lock its owner out
there; nor do any limits hold for devices that are signed in, or for codes of another device.
"""

import asyncio
import secrets
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from komi.web.database import Database
from komi.web.game_service import get_or_create_person
from komi.web.merging import merge
from komi.web.rate_limits import Buckets, Rate
from komi.web.records import Account
from komi.web.responses import ApiError

ADDRESS = Rate(0.5, 60)  # attempts of an address, which a class may share
PAIR = Rate(1 / 60, 10)  # attempts with a name from an address
NAME = Rate(1 / 20, 60)  # attempts with a name from all unknown addresses
MAX_KNOWN = 10_000  # pairs of a name and an address that are kept; the oldest ones are dropped
MAX_WAITING = 40  # hashes that wait or run
MAX_WAITING_HERE = 4  # of an address
WRONG = "The name or the password is wrong."
WRONG_PASSWORD = "The present password is wrong."
TAKEN = "This name is taken: choose another one."
OFTEN = "Too many attempts: wait a minute, or use a code from another device."
Result = TypeVar("Result")


class Accounts:
    """Sets and verifies the names and passwords of people.

    Args:
        database: the database of people.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._worker = ThreadPoolExecutor(1, "passwords")
        self._waiting: Counter[str] = Counter()
        self._buckets = Buckets()
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    async def sign_in(self, name: str, password: str, person: str, address: str) -> str:
        """Merge this browser's person into that of the account, and return whose account it is.

        Raises:
            ApiError: if the name or the password is wrong, or there were too many attempts.
        """
        key = login_of(name)
        self._count_attempt(key, address)
        account = await run_in_threadpool(self._find, Account.login == key)
        if not await self._verify(account, password, address) or account is None:
            raise ApiError(403, WRONG)
        self._remember(key, address)
        await run_in_threadpool(self._join, account, person)
        return account.person

    async def save(self, person: str, name: str, password: str, present: str, address: str) -> None:
        """Set the name and the password of a person, or change both.

        Args:
            person: the person.
            name: the new name.
            password: the new password.
            present: the present password; irrelevant if there is none.
            address: the address of the request.

        Raises:
            ApiError: if the present password is wrong, the name is taken, or there were too many attempts.
        """
        key = login_of(name)
        if login_of(password) == key:
            raise ApiError(422, "Choose a password that differs from the name.")
        account = await self._confirm(person, present, address)
        if account is None:
            self._count_attempt(key, address)
        hashed = await self._in_turn(address, self._hash, password)
        await run_in_threadpool(self._store, account, Account(person=person, name=name, login=key, hash=hashed))
        self._remember(key, address)

    async def remove(self, person: str, present: str, address: str) -> None:
        """Delete the name and the password of a person.

        Raises:
            ApiError: if the present password is wrong, or there were too many attempts.
        """
        if account := await self._confirm(person, present, address):
            await run_in_threadpool(self._delete, account)

    def name_of(self, person: str) -> str | None:
        """Return the name with which a person signs in, or None."""
        account = self._find(Account.person == person)
        return account.name if account else None

    async def _confirm(self, person: str, present: str, address: str) -> Account | None:
        """Return the person's account after a check of its password, or None if there is none."""
        account = await run_in_threadpool(self._find, Account.person == person)
        if account is not None:
            self._count_attempt(account.login, address, is_owner=True)
            if not await self._verify(account, present, address):
                raise ApiError(403, WRONG_PASSWORD)
        return account

    def _count_attempt(self, key: str, address: str, *, is_owner: bool = False) -> None:
        allowed = self._buckets.take("address", address, ADDRESS) and self._buckets.take(
            "pair", f"{key} {address}", PAIR
        )
        is_known = is_owner or (key, address) in self._known
        if not allowed or not (is_known or self._buckets.take("name", key, NAME)):
            raise ApiError(429, OFTEN, after=60)

    def _remember(self, key: str, address: str) -> None:
        self._known[key, address] = None
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)

    async def _verify(self, account: Account | None, password: str, address: str) -> bool:
        return await self._in_turn(address, self._matches, account.hash if account else None, password)

    async def _in_turn(self, address: str, work: Callable[..., Result], *given: object) -> Result:
        """Run work in the thread of passwords."""
        if self._waiting.total() >= MAX_WAITING or self._waiting[address] >= MAX_WAITING_HERE:
            raise ApiError(503, "Many people are signing in: try again in a few seconds.", after=5)
        self._waiting[address] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, work, *given)
        finally:
            self._waiting[address] -= 1
            self._waiting += Counter()  # removes zeros

    @cached_property
    def _decoy(self) -> str:
        return self._hasher.hash(secrets.token_hex())

    def _matches(self, stored: str | None, password: str) -> bool:
        decoy = self._decoy
        try:
            self._hasher.verify(stored or decoy, _normalize(password))
        except VerifyMismatchError:
            return False
        return stored is not None

    def _hash(self, password: str) -> str:
        return self._hasher.hash(_normalize(password))

    def _find(self, condition: object) -> Account | None:
        with self._database.reading() as session:
            return session.scalars(select(Account).where(condition)).one_or_none()  # type: ignore[arg-type]

    def _join(self, account: Account, person: str) -> None:
        with self._database.writing() as session:
            _lock(session, account)
            if person != account.person:
                merge(session, person, account.person)

    def _store(self, before: Account | None, after: Account) -> None:
        try:
            with self._database.writing() as session:
                get_or_create_person(session, after.person)
                if before is not None:
                    _lock(session, before)
                session.execute(delete(Account).where(Account.person == after.person))
                session.add(after)
        except IntegrityError:
            raise ApiError(409, TAKEN) from None

    def _delete(self, account: Account) -> None:
        with self._database.writing() as session:
            session.delete(_lock(session, account))


def login_of(name: str) -> str:
    """Return the form of a name in which capitals, spaces around it and compatible characters do not count."""
    return " ".join(_normalize(_normalize(name).casefold()).split())


def _lock(session: Session, account: Account) -> Account:
    """Return the stored account, locked until the end of the transaction, if its password is still the same."""
    stored = session.get(Account, account.person, with_for_update=True)
    if stored is None or stored.hash != account.hash:
        raise ApiError(409, "The password was changed meanwhile.")
    return stored


def _normalize(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
