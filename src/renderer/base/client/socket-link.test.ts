import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { ClientLink } from "@orpc/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { linkOver } from "./socket-link.ts";

let server: WebSocketServer;
let socket: WebSocket;
let link: ClientLink<Record<never, never>>;
let unobserved: unknown[];
const note = (reason: unknown) => void unobserved.push(reason);

/** A core that takes calls and answers none. */
beforeEach(async () => {
  unobserved = [];
  process.on("unhandledRejection", note);
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(socket, "open");
  link = linkOver(socket);
});
afterEach(async () => {
  process.off("unhandledRejection", note);
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

/** Starts a call and waits until the core has received it. `failure` is what the call fails with. */
async function underWay(signal?: AbortSignal): Promise<{ failure: Promise<unknown> }> {
  const [peer] = server.clients;
  if (!peer) throw new Error("nobody is connected");
  const heard = once(peer, "message");
  const call = link.call(["app", "ping"], undefined, { context: {}, ...(signal && { signal }) });
  const failure = call.then(
    () => "it was answered",
    (error: unknown) => error,
  );
  await heard;
  return { failure };
}

/** Lets pending promises settle, so that a rejection that nobody awaits is reported. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("a call that is aborted while the socket closes fails, and nothing fails unseen", async () => {
  const life = new AbortController();
  const { failure } = await underWay(life.signal);
  socket.close();
  life.abort(new Error("the page was left"));
  expect(await failure).toMatchObject({ message: "the page was left" });
  await turns();
  expect(unobserved).toEqual([]);
});

test("a call that is aborted when the socket has just been lost fails, and nothing fails unseen", async () => {
  const life = new AbortController();
  const { failure } = await underWay(life.signal);
  // This is what the screens do when the connection ends: they abort all calls that are under way.
  const leave = () => life.abort(new Error("the connection is gone"));
  Object.defineProperty(socket, "readyState", { get: () => WebSocket.CLOSED });
  leave();
  expect(await failure).toMatchObject({ message: "the connection is gone" });
  await turns();
  expect(unobserved).toEqual([]);
});

test("calls under way fail when the core ends the connection, and so does a later one", async () => {
  const { failure } = await underWay();
  const closed = once(socket, "close");
  for (const peer of server.clients) peer.terminate();
  await closed;
  expect(await failure).toBeInstanceOf(Error);
  await expect(link.call(["app", "ping"], undefined, { context: {} })).rejects.toThrow(
    "The connection is closed.",
  );
  await turns();
  expect(unobserved).toEqual([]);
});
