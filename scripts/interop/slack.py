"""Holds the messages and forms that Slack is sent against Slack's own library: every block must be one that it knows, and valid."""

import json
import pathlib
import sys

from slack_sdk.models.blocks import Block, InputBlock
from slack_sdk.models.views import View

SHOWN = pathlib.Path(__file__).parents[2] / "crates/protocols/tests/it/slack_shown.jsonl"


def check(name, blocks):
    parsed = Block.parse_all(blocks)
    assert len(parsed) == len(blocks), f"{name}: a block is not known"
    for block, sent in zip(parsed, blocks):
        block.validate_json()
        element = getattr(block, "element", None)
        for one in [element] if element is not None else getattr(block, "elements", None) or []:
            assert not isinstance(one, dict), f"{name}: an element is not known: {one}"
            one.validate_json()
        # What the library would leave out, it does not know.
        assert block.to_dict() == sent, f"{name}: {block.to_dict()} is not {sent}"
    if len(blocks) > 1:
        ids = [block["block_id"] for block in blocks if "block_id" in block]
        assert len(ids) == len(set(ids)), f"{name}: a block id stands twice"
    return len(blocks)


shown = {"messages": {}, "views": {}}
for line in SHOWN.read_text().splitlines():
    one = json.loads(line)
    shown[one["group"]][one["name"]] = one["shown"]
count = 0
for name, blocks in shown["messages"].items():
    assert len(blocks) <= 50, name
    count += check(name, blocks)
for name, view in shown["views"].items():
    parsed = View(**view)
    parsed.validate_json()
    count += check(name, view["blocks"])
inputs = [block for block in Block.parse_all(shown["views"]["form"]["blocks"]) if isinstance(block, InputBlock)]
kinds = sorted({block.element.type for block in inputs})
print(f"slack: {count} blocks valid, inputs of {len(kinds)} kinds: {', '.join(kinds)}", file=sys.stderr)
