"""A model behind OpenAI's interface that calls the tool `deploy` once, then says that it is done."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List

ARGUMENTS = json.dumps({"target": "production"})
DONE = "It is done."


class Stub:
    """Serves ``/v1/responses`` and ``/v1/chat/completions``."""

    def __init__(self) -> None:
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                reply = _responses(asked) if self.path.endswith("/responses") else _chat(asked)
                content = json.dumps(reply).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _responses(asked: Dict[str, Any]) -> Dict[str, Any]:
    called = any(isinstance(each, dict) and each.get("type") == "function_call_output" for each in asked["input"])
    text = {"type": "output_text", "text": DONE, "annotations": []}
    message = {"id": "m1", "type": "message", "role": "assistant", "status": "completed", "content": [text]}
    call = {"id": "f1", "type": "function_call", "call_id": "c1", "name": "deploy", "arguments": ARGUMENTS, "status": "completed"}
    return {
        "id": "r1",
        "object": "response",
        "created_at": 0,
        "model": asked["model"],
        "status": "completed",
        "output": [message if called else call],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1,
            "output_tokens": 1,
            "total_tokens": 2,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def _chat(asked: Dict[str, Any]) -> Dict[str, Any]:
    called = any("done" in json.dumps(each.get("content", "")) for each in asked["messages"] if each["role"] != "system")
    names = [each["function"]["name"] for each in asked.get("tools", ())]
    calls: List[Dict[str, Any]] = []
    if not called:
        calls = [{"id": "c1", "type": "function", "function": {"name": "deploy", "arguments": ARGUMENTS}}]
    elif "final_answer" in names:
        answer = json.dumps({"answer": DONE})
        calls = [{"id": "c2", "type": "function", "function": {"name": "final_answer", "arguments": answer}}]
    message: Dict[str, Any] = {"role": "assistant", "content": None if calls else DONE}
    if calls:
        message["tool_calls"] = calls
    choice = {"index": 0, "finish_reason": "tool_calls" if calls else "stop", "message": message}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": asked["model"], "choices": [choice], "usage": usage}
