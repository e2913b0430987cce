import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../gateway/support.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

let home: string;
let app: RunningApp;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-straight-"));
  app = await startApp(home);
  for (const plugin of ["e2e/plugins/forge", "e2e/plugins/careful", "test/fixtures/plugins/legacy-channel"])
    await app.cli("plugin", "install", resolve(plugin), "--yes");
  for (const key of ["forge", "careful"]) await app.cli("plugin", "enable", key, "--agent", "helper");
  await app.rest("PUT", "/agents/helper/plugins/legacy-chat", {
    enabled: true,
    config: { channel: { room: "tea" } },
    secrets: { bot_token: "bot-token-4711" },
  });
});
afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

/** A request of somebody who has read a token. */
async function thief(path: string, body: unknown, bearer = app.token) {
  const answer = await ask(`${app.url}/api${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${bearer}`,
      "x-patchbay-caller": randomBytes(24).toString("base64url"),
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: answer.text };
}

const input = { label: "first" };

test("whoever stole the token of the command line leaves no hook out, in any way of calling a tool", async () => {
  for (const [way, body] of [
    ["call", { input, straight: true }],
    ["run", { input, straight: true }],
    ["repeat", { input, straight: true, times: 3 }],
  ] as const) {
    const { status, text } = await thief(`/agents/helper/tools/forge__build/${way}`, body);
    expect(text, way).toContain("CONFIRMATION_NEEDED");
    expect(text, way).toContain('"run"');
    expect(status, way).toBe(403);
  }
  await expect
    .poll(async () => (await thief("/agents/helper/tools/forge__build/repeat", { input, times: 3 })).text)
    .toContain("TOOL_ASKS");
});

test("the token that a channel got opens none of it", async () => {
  const hook = await fetch(`${app.url}/api/agents/helper/channels/legacy/webhook`, { method: "POST" });
  const { tokens } = (await hook.json()) as { tokens: Record<string, string> };
  const token = tokens["legacy-chat"] ?? "";
  expect(token).not.toBe("");
  for (const way of ["call", "run", "repeat"]) {
    const body = { input, straight: true, times: 2 };
    expect((await thief(`/agents/helper/tools/forge__build/${way}`, body, token)).status, way).toBe(401);
  }
});
