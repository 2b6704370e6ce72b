"""Measures what the client costs, and fails if it is more than it may be: HOLD_BIN=/path/to/hold python3 measure.py"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "src")]

from holdpoint import AsyncClient, StillPending  # noqa: E402
from tests.server import Server  # noqa: E402

MANY = 1000
IMPORT_MS, MEMORY_MIB, RATIO = 50.0, 100.0, 2.0


def importing() -> float:
    """Returns how many milliseconds of a processor ``import holdpoint`` adds to a start of Python; the best of ten.

    It is compiled, as pip leaves it, whatever the environment says about that.
    """
    with tempfile.TemporaryDirectory() as compiled:
        env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent / "src"), "PYTHONPYCACHEPREFIX": compiled}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        return _importing(env)


def _importing(env: "dict[str, str]") -> float:
    def took(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], env=env, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return 1000 * (min(took("import holdpoint") for _ in range(10)) - min(took("pass") for _ in range(10)))


def peak() -> float:
    """Returns the most memory that this process has used, in MiB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)


async def holding(server: Server) -> "tuple[float, int]":
    """Asks many questions at once and answers them. Returns the peak of memory and how many threads were added."""
    client = AsyncClient(server.url, log=lambda _: None, patience=60)
    threads = threading.active_count()
    asked = [asyncio.ensure_future(client.ask(f"{n}?", kind="confirm")) for n in range(MANY)]
    while server.parked() < MANY:
        await asyncio.sleep(0.05)
    added = threading.active_count() - threads
    answerer = asyncio.Semaphore(50)

    async def answer(id: str) -> None:
        async with answerer:
            await client.answer(id, "yes")

    await asyncio.gather(*[answer(decision.id) async for decision in client.list()])
    assert all(decision.approved for decision in await asyncio.gather(*asked))
    return peak(), added


async def parking(server: Server) -> "tuple[float, float]":
    """Returns the milliseconds of a bare request that asks, and of ``ask`` until it holds; the medians of fifty."""
    client = AsyncClient(server.url, log=lambda _: None)
    bare, parked = [], []
    for n in range(50):
        began = time.perf_counter()
        await client.create(f"{n}?", kind="confirm")
        bare.append(time.perf_counter() - began)
        began = time.perf_counter()
        try:
            # Waits for no time at all: both of its requests and both replies, which is more than it takes to hold.
            await client.ask(f"{n}?", kind="confirm", wait=0)
        except StillPending:
            parked.append(time.perf_counter() - began)
    return 1000 * sorted(bare)[25], 1000 * sorted(parked)[25]


def main() -> int:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if 0 < hard < 65536 else 65536, hard))
    loading = importing()
    server = Server.asking_nobody()
    try:
        memory, added = asyncio.run(holding(server))
        bare, parked = asyncio.run(parking(server))
    finally:
        server.close()
    # A time says little where others compete for the processors.
    busy = os.getloadavg()[0] > (os.cpu_count() or 1)
    rows = [
        (f"import holdpoint: {loading:.0f} ms{' on a busy machine' if busy else ''}", busy or loading <= IMPORT_MS),
        (f"{MANY} concurrent ask(): {memory:.0f} MiB for the whole process, {added} threads more", memory <= MEMORY_MIB and not added),
        (f"ask() until it holds: {parked:.1f} ms, {parked / bare:.2f} times a bare request", parked <= RATIO * bare),
    ]
    for words, well in rows:
        print(f"{words}{'' if well else '   too much'}")
    return 0 if all(well for _, well in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
