"""The client for asyncio over TLS: straight, and through a proxy that tunnels."""

from __future__ import annotations

import asyncio
import os
import shutil
import ssl
import subprocess
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from typing import List

from holdpoint import AsyncClient, Unreachable

from .server import Server

NAME = "hold.example"


@unittest.skipIf(shutil.which("openssl") is None, "openssl is not installed")
class Tls(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.server = Server.asking_nobody()
        self.addCleanup(self.server.close)
        self.server.stop()
        Path(self.server.home, "config.toml").write_text(f'[hooks]\ndesktop = false\n[server]\nhosts = ["{NAME}"]\n')
        self.server.start()
        folder = tempfile.mkdtemp(prefix="holdpoint-")
        self.addCleanup(shutil.rmtree, folder)
        self.certificate, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
        names = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1"]
        made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", self.certificate]
        subprocess.run([*made, *names], check=True, stderr=subprocess.DEVNULL)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.tasks: List["asyncio.Future[None]"] = []
        self.tunnels: List[str] = []
        self.secure = await asyncio.start_server(self.pass_on, "127.0.0.1", 0, ssl=context)
        self.proxy = await asyncio.start_server(self.tunnel, "127.0.0.1", 0)

    async def asyncTearDown(self) -> None:
        self.secure.close()
        self.proxy.close()
        await asyncio.gather(*self.tasks)

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self.join(reader, writer, self.server.port)

    async def tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.tunnels.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await self.join(reader, writer, _port(self.secure))

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        self.tasks += [asyncio.ensure_future(_copy(reader, back)), asyncio.ensure_future(_copy(there, writer))]

    async def test_straight(self) -> None:
        url = f"https://127.0.0.1:{_port(self.secure)}"
        with self.assertRaisesRegex(Unreachable, "certificate"):
            await AsyncClient(url, patience=5).create("?")
        with unittest.mock.patch.dict(os.environ, {"SSL_CERT_FILE": self.certificate}):
            await self.ask(AsyncClient(url, log=lambda _: None))

    async def test_through_a_tunnel(self) -> None:
        proxy = f"http://127.0.0.1:{_port(self.proxy)}"
        more = {"SSL_CERT_FILE": self.certificate, "https_proxy": proxy, "no_proxy": ""}
        with unittest.mock.patch.dict(os.environ, more):
            await self.ask(AsyncClient(f"https://{NAME}", log=lambda _: None))
        self.assertTrue(all(each.startswith(f"CONNECT {NAME}:443 HTTP/1.1\r\n") for each in self.tunnels))

    async def ask(self, client: AsyncClient) -> None:
        asked = asyncio.ensure_future(client.ask("Deploy?", kind="confirm"))
        while not (found := [decision async for decision in client.list()]):
            await asyncio.sleep(0.01)
        await client.answer(found[0], "yes")
        self.assertTrue((await asked).approved)


def _port(server: "asyncio.base_events.Server") -> int:
    port: int = server.sockets[0].getsockname()[1]
    return port


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(65536):
            writer.write(piece)
    except OSError:
        pass
    writer.close()
