/** A wire that loses requests and replies: it passes requests on to a server, or breaks off. */

import { createServer } from "node:http";

/** Loses the next `drop` requests, then the next `lose` replies; `replies` are sent first, without asking anyone. */
export class Flaky {
  drop = 0;
  lose = 0;
  seen = [];
  replies = [];

  static async start(target) {
    const wire = new Flaky();
    wire.server = createServer((request, response) => {
      void wire.passOn(target, request, response).catch(() => response.destroy());
    });
    await new Promise((resolve) => wire.server.listen(0, "127.0.0.1", resolve));
    wire.url = `http://127.0.0.1:${wire.server.address().port}`;
    return wire;
  }

  async passOn(target, request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    this.seen.push({ method: request.method, path: request.url, headers: request.headers });
    const ready = this.replies.shift();
    if (ready) {
      response.writeHead(ready.status, { connection: "close", ...ready.headers });
      response.end(ready.body);
      return;
    }
    if (this.drop > 0) {
      this.drop -= 1;
      request.socket.destroy();
      return;
    }
    const { host, connection, "content-length": length, ...headers } = request.headers;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const answered = await fetch(target + request.url, { method: request.method, headers, body });
    const text = await answered.text();
    if (this.lose > 0) {
      this.lose -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") });
    response.end(text);
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}
