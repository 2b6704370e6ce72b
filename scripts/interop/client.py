"""The published Python client against the real binary: both eras, on standard streams and over HTTP."""

import asyncio
import json
import os
import subprocess

from mcp import StdioServerParameters
from mcp.client import Client
from mcp.types import ElicitResult

HOLD = os.environ["HOLD"]
URL = os.environ["HOLD_URL"]
WHICH = {"prompt": "Which?", "options": ["a:First", "b:Second"]}


def stdio(*arguments):
    environment = {key: value for key, value in os.environ.items() if key != "HOLD_URL"}
    return StdioServerParameters(command=HOLD, args=["mcp", *arguments], env=environment)


def hold(*arguments, url=None):
    environment = {key: value for key, value in os.environ.items() if key != "HOLD_URL"}
    if url:
        environment["HOLD_URL"] = url
    return subprocess.run([HOLD, *arguments], env=environment, check=True, capture_output=True, text=True).stdout


def answering(choice, url=None):
    """Answers as soon as the first notice of progress says what waits."""
    answered = []

    async def progress(_progress, _total, message):
        if not answered:
            answered.append(message.split("decision ")[1].split(" ")[0])
            await asyncio.to_thread(hold, "answer", answered[0], choice, url=url)

    return progress


async def asks(name, server, mode, url=None):
    async with Client(server, mode=mode) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"ask", "wait", "approval_prompt"} <= tools and "bd_decision_create" not in tools, tools
        result = await client.call_tool("ask", WHICH, progress_callback=answering("b", url))
        assert result.structured_content["values"] == {"choice": "b"}, result
        bad = await client.call_tool("ask", {"promt": "?"})
        assert bad.is_error, bad
        pending = await client.call_tool("ask", {**WHICH, "wait": "0s"})
        decision = pending.structured_content["decision_id"]
        resources = (await client.list_resources()).resources
        assert [str(known.uri) for known in resources] == [f"hold://decisions/{decision}"], resources
        read = await client.read_resource(f"hold://decisions/{decision}")
        assert json.loads(read.contents[0].text)["status"] == "pending"
        hold("answer", decision, "a", url=url)
        waited = await client.call_tool("wait", {"id": decision})
        assert waited.structured_content["accepted"] is True, waited
        print(f"python: {name} speaks {client.protocol_version}")


async def goes_round():
    """A hold longer than the client lets us: it comes back with the state it was given."""
    async with Client(stdio("--hold", "300ms")) as client:
        call = asyncio.create_task(client.call_tool("ask", WHICH))
        while not (waiting := json.loads(hold("list", "--json"))):
            await asyncio.sleep(0.05)
        await asyncio.sleep(1)
        hold("answer", waiting[0]["id"], "a")
        assert (await call).structured_content["values"] == {"choice": "a"}
        print("python: is sent round and comes back")


async def elicits(mode):
    async def person(_context, params):
        assert params.requested_schema["properties"]["choice"]["oneOf"][1]["title"] == "Second"
        return ElicitResult(action="accept", content={"choice": "b"})

    async with Client(stdio("--in-client"), mode=mode, elicitation_callback=person) as client:
        result = await client.call_tool("ask", WHICH)
        assert result.structured_content["values"] == {"choice": "b"}, result
        print(f"python: asks the person at the client, {client.protocol_version}")


async def main():
    await asks("stdio, modern,", stdio(), "auto")
    await asks("stdio, legacy,", stdio(), "legacy")
    await asks("HTTP, modern,", f"{URL}/mcp", "auto", url=URL)
    await asks("HTTP, legacy,", f"{URL}/mcp", "legacy", url=URL)
    await goes_round()
    await elicits("auto")
    await elicits("legacy")


asyncio.run(main())
