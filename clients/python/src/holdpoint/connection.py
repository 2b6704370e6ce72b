"""One HTTP/1.1 connection on asyncio's loop."""

from __future__ import annotations

import asyncio
import base64
import ssl
from typing import AsyncIterator, Dict, Mapping, Optional
from urllib.parse import unquote, urlsplit

from .wire import Address, Reply

_PIECE = 65536
_LONGEST_LINE = 64 * 1024 * 1024


class Unheard(EOFError):
    """The connection was closed before a word of the reply came."""


class Route:
    """How to get to the server: straight, or through the proxy that the environment names."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._tls: Optional[ssl.SSLContext] = None
        self._aim()

    def _aim(self) -> None:
        self._base = self._address.base
        url = urlsplit(self._base)
        self._secure = url.scheme == "https"
        self._host = url.hostname or ""
        self._port = url.port or (443 if self._secure else 80)
        self._proxy = None if self._address.is_loopback else _proxy(url.scheme, url.netloc)

    async def connect(self, limit: float) -> "Connection":
        """Opens a connection."""
        if self._base != self._address.base:
            self._aim()
        try:
            return await asyncio.wait_for(self._connect(), limit)
        except asyncio.TimeoutError:
            raise OSError("it does not answer") from None

    async def _connect(self) -> "Connection":
        if self._secure and self._tls is None:
            self._tls = ssl.create_default_context()
        tls = self._tls if self._secure else None
        if self._proxy is None:
            reader, writer = await asyncio.open_connection(self._host, self._port, ssl=tls)
            return Connection(reader, writer)
        proxy = urlsplit(self._proxy)
        reader, writer = await asyncio.open_connection(proxy.hostname, proxy.port or 80)
        connection = Connection(reader, writer)
        pass_ = _pass(proxy.username, proxy.password)
        if tls is None:
            connection.through = pass_
            return connection
        try:
            await connection.tunnel(f"{self._host}:{self._port}", pass_, tls, self._host)
        except BaseException:
            connection.close()
            raise
        return connection


class Connection:
    """A connection that carries one exchange after the other."""

    through: Optional[Mapping[str, str]] = None
    """What a proxy in between is told with each request; it then wants the whole address."""
    lasts = False
    """Whether another request can be sent over it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._buffer = bytearray()
        self._limit = 30.0
        self._silent = False
        self._pieces: Optional[AsyncIterator[bytes]] = None
        self._rest = bytearray()

    def close(self) -> None:
        """Ends it."""
        self._writer.transport.abort()

    async def exchange(
        self, method: str, url: str, headers: Mapping[str, str], body: Optional[bytes], limit: float
    ) -> Reply:
        """Sends a request, and returns the head of the reply; the body is still to be read."""
        self._limit = limit
        about = urlsplit(url)
        target = url if self.through is not None else about.path + (f"?{about.query}" if about.query else "")
        all: Dict[str, str] = {"Host": about.netloc, **headers, **(self.through or {})}
        if body is not None or method != "GET":
            all["Content-Length"] = str(len(body or b""))
        if any(not value.isprintable() for value in all.values()):
            raise OSError("a header has characters that cannot be sent")
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in all.items()), "", ""]
        self._writer.write("\r\n".join(lines).encode("latin-1") + (body or b""))
        await self._writer.drain()
        status, found = await self._head()
        while 100 <= status < 200:
            status, found = await self._head()
        self.lasts = found.get("connection", "").lower() != "close"
        self._pieces, self._rest = self._content(method, status, found), bytearray()
        return Reply(status, found, b"")

    async def body(self) -> bytes:
        """Returns all of the reply's body."""
        assert self._pieces is not None
        whole = bytearray()
        async for piece in self._pieces:
            whole += piece
        return bytes(whole)

    async def line(self) -> bytes:
        """Returns the next line of the reply's body, with its end; empty, or without an end, if that was all."""
        assert self._pieces is not None
        while True:
            at = self._rest.find(b"\n")
            if at >= 0:
                line = bytes(self._rest[: at + 1])
                del self._rest[: at + 1]
                return line
            try:
                self._rest += await self._pieces.__anext__()
            except StopAsyncIteration:
                line, self._rest = bytes(self._rest), bytearray()
                return line

    async def tunnel(self, target: str, headers: Mapping[str, str], tls: ssl.SSLContext, host: str) -> None:
        """Has a proxy pass everything on to another host, and speaks TLS with that."""
        lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}", *(f"{k}: {v}" for k, v in headers.items()), "", ""]
        self._writer.write("\r\n".join(lines).encode("latin-1"))
        status, _ = await self._head()
        if status != 200:
            raise OSError(f"the proxy refuses (status {status})")
        if hasattr(self._writer, "start_tls"):
            await self._writer.start_tls(tls, server_hostname=host)
            return
        # Before Python 3.11 a writer cannot be told; the protocol goes on feeding the same reader.
        loop, plain = asyncio.get_running_loop(), self._writer.transport
        protocol = plain.get_protocol()
        secured = await loop.start_tls(plain, protocol, tls, server_hostname=host)
        if secured is None:
            raise OSError("the proxy ended the connection")
        self._writer = asyncio.StreamWriter(secured, protocol, self._reader, loop)

    async def _head(self) -> "tuple[int, Dict[str, str]]":
        try:
            first = await self._own_line()
        except (EOFError, ConnectionResetError, BrokenPipeError) as why:
            if self._silent:
                raise
            raise Unheard("the connection was closed") from why
        version, _, rest = first.partition(" ")
        if not version.startswith("HTTP/1."):
            raise OSError("what answers there does not speak HTTP")
        headers: Dict[str, str] = {}
        while True:
            line = await self._own_line()
            if not line:
                break
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        if version == "HTTP/1.0":
            headers.setdefault("connection", "close")
        return _number(rest[:3]), headers

    async def _content(self, method: str, status: int, headers: Mapping[str, str]) -> AsyncIterator[bytes]:
        if status == 204 or status == 304 or method == "HEAD":
            return
        if headers.get("transfer-encoding", "").lower() == "chunked":
            while True:
                size = _number((await self._own_line()).partition(";")[0], 16)
                if size == 0:
                    while await self._own_line():
                        pass
                    return
                async for piece in self._exactly(size):
                    yield piece
                await self._own_line()
        elif "content-length" in headers:
            async for piece in self._exactly(_number(headers["content-length"])):
                yield piece
        else:
            self.lasts = False
            while self._buffer or await self._more(or_end=True):
                piece = bytes(self._buffer)
                self._buffer.clear()
                yield piece

    async def _exactly(self, size: int) -> AsyncIterator[bytes]:
        while size > 0:
            if not self._buffer:
                await self._more()
            piece = bytes(self._buffer[:size])
            del self._buffer[: len(piece)]
            size -= len(piece)
            yield piece

    async def _own_line(self) -> str:
        while True:
            at = self._buffer.find(b"\n")
            if at >= 0:
                line = bytes(self._buffer[:at])
                del self._buffer[: at + 1]
                return line.decode("latin-1").rstrip("\r")
            if len(self._buffer) > _LONGEST_LINE:
                raise OSError("what answers there does not speak HTTP")
            await self._more()

    async def _more(self, or_end: bool = False) -> bool:
        """Reads what comes next. A server that says nothing for too long is not waited for."""
        timer = asyncio.get_running_loop().call_later(self._limit, self._give_up)
        try:
            piece = await self._reader.read(_PIECE)
        finally:
            timer.cancel()
        if self._silent:
            raise OSError("it does not answer")
        if not piece and not or_end:
            raise EOFError("the connection was closed")
        self._buffer += piece
        return bool(piece)

    def _give_up(self) -> None:
        self._silent = True
        self._writer.transport.abort()


def _number(text: str, base: int = 10) -> int:
    try:
        return int(text, base)
    except ValueError:
        raise OSError("what answers there does not speak HTTP") from None


def _proxy(scheme: str, host: str) -> Optional[str]:
    from urllib.request import getproxies, proxy_bypass

    found = None if proxy_bypass(host) else getproxies().get(scheme)
    return found if found is None or "://" in found else f"http://{found}"


def _pass(user: Optional[str], password: Optional[str]) -> Mapping[str, str]:
    if user is None:
        return {}
    both = f"{unquote(user)}:{unquote(password or '')}".encode()
    return {"Proxy-Authorization": f"Basic {base64.b64encode(both).decode()}"}
