import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../gateway/support.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

let home: string;
let app: RunningApp;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-others-"));
  app = await startApp(home);
});
afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

/** A request of somebody who has read the token of the command line. */
async function thief(body: unknown, path = "sessions/some/turns/some/replays"): Promise<string> {
  const answer = await ask(`${app.url}/api/agents/helper/${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${app.token}`,
      "x-patchbay-caller": randomBytes(24).toString("base64url"),
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return answer.text;
}

test("whoever stole the token of the command line starts no older version of a plugin", async () => {
  const plugins = "live";
  expect(await thief({ plugins, versions: { warden: "1.0.0" } })).toContain("CONFIRMATION_NEEDED");
  expect(await thief({ plugins, tools: "live" })).toContain("CONFIRMATION_NEEDED");
  expect(await thief({ plugins, versions: {} })).toContain("SESSION_NOT_FOUND");
});

test("nor by a turn that is judged from a file, which anybody may have written", async () => {
  const judge = (versions: object) => thief({ file: "{}", versions }, "replays/judge");
  expect(await judge({ warden: "1.0.0" })).toContain("CONFIRMATION_NEEDED");
  expect(await judge({})).toContain("REPLAY_FILE_INVALID");
});
