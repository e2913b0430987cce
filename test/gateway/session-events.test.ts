import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { expect, it } from "vitest";
import { SessionEvents } from "../../src/main/gateway/agent-api/session-events.ts";

it("cuts off a reader that does not read, holds little for it, and gives it the rest when it comes again", async () => {
  const events = new SessionEvents("room:1");
  const followers: ServerResponse[] = [];
  const server = createServer((request, response) => {
    followers.push(response);
    events.follow(response, Number(request.headers["last-event-id"] ?? 0));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const follow = async (cursor: number) => {
    const request = get(url, { headers: { "last-event-id": String(cursor) } });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return response;
  };
  try {
    const lazy = await follow(0);
    const gone = new Promise<void>((resolve) => lazy.once("close", () => resolve()));
    lazy.on("error", () => {});
    let mostHeld = 0;
    let said = 0;
    while (events.isFollowed && said < 2_000) {
      events.add({ name: "text_delta", data: { text: "x".repeat(100_000) } });
      said += 1;
      mostHeld = Math.max(mostHeld, followers[0]?.writableLength ?? 0);
      await turnOfTheLoop();
    }
    expect(events.isFollowed).toBe(false);
    expect(mostHeld).toBeLessThan(2 * 1024 * 1024);
    lazy.resume();
    await gone;

    const again = await follow(said - 3);
    let text = "";
    for await (const chunk of again) {
      text += String(chunk);
      if (text.includes("event: ready")) break;
    }
    expect(text.match(/^id: .*$/gm)).toEqual([`id: ${said - 2}`, `id: ${said - 1}`, `id: ${said}`]);
    expect(text).toContain(`"nextEventId":${said + 1}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it("keeps a backlog of bounded size", async () => {
  const events = new SessionEvents("room:2");
  for (let number = 0; number < 2_000; number += 1)
    events.add({ name: "text_delta", data: { text: `${number} ${"x".repeat(10_000)}` } });
  const server = createServer((_request, response) => {
    events.follow(response, 0);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const text = await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
  server.close();
  expect(text.length).toBeLessThan(1.2 * 1024 * 1024);
  expect(text).toContain("id: 2000\n");
});
