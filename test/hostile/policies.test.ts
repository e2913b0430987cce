import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../gateway/support.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

let home: string;
let app: RunningApp;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-policies-"));
  app = await startApp(home);
});
afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const base = "/agents/helper/policies";
const off = { tool: "shell", effect: "deny", callers: ["anyone"] };
const open = { tool: "*", effect: "allow", callers: ["anyone"] };

async function send(method: string, path: string, body: unknown, bearer: string) {
  const answer = await ask(`${app.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: answer.text, value: answer.json() as Record<string, unknown> };
}

const rules = async () => ((await app.rest("GET", "/agents/helper")) as { policy: unknown[] }).policy;

/** Every way into the rules, with what it is sent. */
const ways = [
  ["GET", base, undefined],
  ["POST", `${base}/explain`, { name: "shell" }],
  ["POST", `${base}/preview`, { rule: open }],
  ["PUT", `${base}/rule`, { rule: open }],
  ["POST", `${base}/remove`, { rule: off }],
  ["POST", `${base}/take-back`, { sessionId: "s", tool: "shell", caller: { kind: "owner" } }],
  ["GET", "/agents/helper/sessions/s/turns/t/calls/c/why", undefined],
] as const;

test("whoever stole the token of the command line opens nothing by a rule, and brings no refusal down", async () => {
  await app.rest("PUT", `${base}/rule`, { rule: off });
  const before = await rules();
  expect(before).toMatchObject([off]);
  for (const [method, path, body] of [
    ["PUT", `${base}/rule`, { rule: open }],
    ["PUT", `${base}/rule`, { rule: { ...off, effect: "allow" }, replaces: off }],
    ["POST", `${base}/remove`, { rule: off }],
  ] as const) {
    const { status, value } = await send(method, path, body, app.token);
    expect(status).toBe(403);
    expect(value).toMatchObject({ code: "CONFIRMATION_NEEDED", details: { act: "policy" } });
  }
  expect(await rules()).toEqual(before);
});

test("comparing rules stores none, and a rule says where it came from by itself", async () => {
  const before = await rules();
  const { status } = await send("POST", `${base}/preview`, { rule: open }, app.token);
  expect(status).toBe(200);
  expect(await rules()).toEqual(before);
  const claimed = {
    ...off,
    tool: "write_file",
    origin: { at: "2020-01-01T00:00:00.000Z", from: "tools", answered: true },
  };
  await app.rest("PUT", `${base}/rule`, { rule: claimed });
  expect(await rules()).toContainEqual({
    ...off,
    tool: "write_file",
    origin: { at: expect.not.stringContaining("2020"), from: "terminal", answered: false },
  });
});

test("a channel's own token, and none at all, neither see nor try nor change rules", async () => {
  await app.cli("plugin", "install", resolve("test/fixtures/plugins/legacy-channel"), "--yes");
  await app.rest("PUT", "/agents/helper/plugins/legacy-chat", {
    enabled: true,
    config: { channel: { room: "tea" } },
    secrets: { bot_token: "bot-token-4711" },
  });
  const answer = await fetch(`${app.url}/api/agents/helper/channels/legacy/webhook`, { method: "POST" });
  const { tokens } = (await answer.json()) as { tokens: Record<string, string> };
  const token = tokens["legacy-chat"] ?? "";
  expect(token).not.toBe("");
  const before = await rules();
  for (const bearer of [token, "none"])
    for (const [method, path, body] of ways) {
      const refused = await send(method, path, body, bearer);
      expect(refused.status, `${method} ${path}`).toBe(401);
      expect(refused.text).not.toContain("shell");
    }
  expect(await rules()).toEqual(before);
});
