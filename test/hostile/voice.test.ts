import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { oggOf, speechServer } from "../agents/speech-server.ts";
import { auditOf } from "../support/hostile.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { loot } from "./support.ts";

let home: string;
let app: RunningApp;
/** What an older channel package was given to talk to Patchbay with. */
let token: string;
let base: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-hostile-voice-"));
  app = await startApp(home);
  await app.cli("plugin", "install", resolve("test/fixtures/plugins/legacy-channel"), "--yes");
  await app.rest("PUT", "/agents/helper/plugins/legacy-chat", {
    enabled: true,
    config: { channel: { room: "tea" } },
    secrets: { bot_token: "bot-token-4711" },
  });
  const answer = await fetch(`${app.url}/api/agents/helper/channels/legacy/webhook`, { method: "POST" });
  const given = (await answer.json()) as { tokens: Record<string, string>; base: string };
  token = given.tokens["legacy-chat"] ?? "";
  base = given.base;
});
afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const post = (path: string, body: object) =>
  fetch(`${base}/voice/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("a channel sends no file as a recording, and has neither the key of the service nor a say in where it is", async () => {
  await using service = await speechServer({ status: 401, body: `{"error":"wrong key ${loot}"}` });
  await using mallory = await speechServer();
  await app.rest("PUT", "/secrets/SPEECH_KEY", { value: loot, agentId: "helper" });
  const listen = { baseUrl: service.url, model: "m", apiKey: "${SPEECH_KEY}", maxMinutes: 10 };
  await app.rest("PATCH", "/agents/helper", { voice: { listen, speak: null } });

  const hers = { baseUrl: mallory.url, url: mallory.url, apiKey: "x", agentId: "other" };
  const file = Buffer.from("-----BEGIN PRIVATE KEY-----").toString("base64");
  const sent = await post("stt", { bytes: file, mimeType: "audio/ogg", ...hers });
  expect(sent.status).toBe(502);
  expect(service.requests).toEqual([]);

  const sound = await post("stt", { bytes: oggOf(1).toString("base64"), mimeType: "audio/ogg", ...hers });
  const answered = await sound.text();
  expect(sound.status).toBe(502);
  expect(answered).not.toContain(loot);
  expect(answered).not.toContain(String(service.port));
  expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${loot}`);
  // Nobody was asked to speak, so that nothing is read aloud at the person's cost.
  expect((await post("tts", { text: "hello", ...hers })).status).toBe(501);
  expect(mallory.requests).toEqual([]);

  const seen = (await auditOf(home)).filter(({ kind }) => String(kind).startsWith("agent.voice"));
  expect(seen).toMatchObject([
    { kind: "agent.voice_failed", pluginKey: "legacy-chat", what: "listen" },
    { kind: "agent.voice_used", pluginKey: "legacy-chat", host: `127.0.0.1:${service.port}` },
    { kind: "agent.voice_failed", pluginKey: "legacy-chat", what: "listen" },
  ]);
  expect(JSON.stringify(seen)).not.toContain(loot);
});
