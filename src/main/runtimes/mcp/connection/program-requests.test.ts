import { tmpdir } from "node:os";
import type { Progress } from "@modelcontextprotocol/client";
import { afterEach, expect, it } from "vitest";
import { CallAbort } from "../../../base/call-abort.ts";
import { spawnNodeHost } from "../../../platform/spawned-host.ts";
import { ProgramRequests } from "./program-requests.ts";
import { SpokenTransport } from "./spoken-transport.ts";

/** A program that answers a pair of calls in the wrong order, goes on, refuses, asks back, waits for ever, tells what it was told, or ends. */
const program = `
const told = [];
const held = [];
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => say({ id, result });
  if (method === "pair") held.push({ id, params });
  if (held.length === 2) for (const one of held.splice(0).reverse()) say({ id: one.id, result: { of: one.params.of } });
  if (method === "goes-on") {
    for (const progress of [1, "odd", 2])
      say({ method: "notifications/progress", params: { progressToken: params._meta.progressToken, progress, total: 2 } });
    answer({ resultType: "input_required", done: true });
  }
  if (method === "refuses") say({ id, error: { code: -32601, message: "unknown" } });
  if (method === "asks-back") { say({ id, method: "ping" }); answer({}); }
  if (method.startsWith("notifications/")) told.push({ method, params });
  if (method === "told") answer({ told });
  if (method === "ends") process.exit(3);
});
`;

let transport: SpokenTransport | undefined;
afterEach(async () => {
  transport?.end();
  await transport?.exited;
});

function opened() {
  const host = spawnNodeHost({
    file: process.execPath,
    args: ["-e", program],
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? "" },
    wire: "stdio",
  });
  transport = new SpokenTransport(host, { said() {}, noise() {}, tooLarge() {} });
  const others: object[] = [];
  transport.onmessage = (message) => void others.push(message);
  const requests = new ProgramRequests(transport);
  const ask = (method: string, params = {}, abort = new CallAbort()) =>
    requests.make({ method, params }, { abort });
  return { requests, others, ask };
}

it("gives each call its own answer, in whatever order they come", async () => {
  const { ask } = opened();
  expect(await Promise.all([ask("pair", { of: "a" }), ask("pair", { of: "b" })])).toEqual([
    { of: "a" },
    { of: "b" },
  ]);
});

it("hands on what is said of progress before the answer, and takes that for the whole answer", async () => {
  const { requests } = opened();
  const heard: Progress[] = [];
  const result = await requests.make(
    { method: "goes-on", params: {} },
    { abort: new CallAbort(), onprogress: (progress) => heard.push(progress) },
  );
  expect(heard).toEqual([
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ]);
  expect(result).toEqual({ done: true });
});

it("tells the program of a call that is given up, and gives the reason", async () => {
  const { ask } = opened();
  const abort = new CallAbort();
  const given = ask("waits", {}, abort);
  abort.abort(new Error("no more"));
  await expect(given).rejects.toThrow("no more");
  await expect(ask("told", {}, abort)).rejects.toThrow("no more");
  expect(await ask("told")).toEqual({
    told: [
      {
        method: "notifications/cancelled",
        params: { requestId: expect.any(Number), reason: "Error: no more" },
      },
    ],
  });
});

it("fails with what the program refuses", async () => {
  await expect(opened().ask("refuses")).rejects.toMatchObject({ code: -32601, message: "unknown" });
});

it("leaves a question of the program to the client, also under the id of a call", async () => {
  const { ask, others } = opened();
  expect(await ask("asks-back")).toEqual({});
  expect(others).toMatchObject([{ method: "ping" }]);
});

it("fails all calls when the program ends, and those after it", async () => {
  const { ask } = opened();
  const waiting = ask("waits");
  await Promise.all([
    expect(ask("ends")).rejects.toMatchObject({ code: "CONNECTION_CLOSED" }),
    expect(waiting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" }),
  ]);
  await expect(ask("told")).rejects.toThrow("The program has ended.");
});
