import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { ask } from "./support.ts";

/** Answers with what came in; counts what it sees. */
const hooked = `let seen = 0;
export default {
  manifestVersion: 1, key: "hooked", displayName: "Hooked", description: "Takes webhooks.",
  channel: {
    start: async () => ({
      name: "hooked",
      stop: async () => {},
      handleWebhook: async ({ headers, rawBody }) => ({
        status: 202,
        headers: { "x-seen": String(++seen) },
        body: headers["x-kind"] + ":" + Buffer.from(rawBody).toString("utf8"),
      }),
    }),
  },
};`;

describe("a channel's webhook", () => {
  let folder: string;
  let app: RunningApp;
  const post = (body: string | Buffer, headers: Record<string, string> = {}, key = "hooked") =>
    ask(`${app.url}/api/agents/helper/channels/${key}/webhook`, {
      method: "POST",
      headers: { "x-kind": "test", ...headers },
      body,
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "patchbay-webhooks-"));
    const plugin = await writePlugin(join(folder, "hooked"), {
      key: "hooked",
      files: { "index.js": hooked },
    });
    app = await startApp(join(folder, "home"));
    await app.cli("plugin", "install", plugin, "--yes");
    await app.cli("plugin", "enable", "hooked", "--agent", "helper");
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("reaches the plugin as it came, without a token and under whatever name the tunnel has", async () => {
    const answer = await post("héllo", { host: "my-tunnel.example" });
    expect(answer).toMatchObject({ status: 202, text: "test:héllo" });
    expect(answer.headers["x-seen"]).toBe("1");
  });

  it("is closed to web pages", async () => {
    expect((await post("x", { origin: "https://evil.example" })).status).toBe(403);
  });

  it("takes one MiB, told or not", async () => {
    const large = Buffer.alloc(1024 * 1024 + 1, 0x20);
    const told: Record<string, string>[] = [
      { "content-length": String(large.length) },
      { "transfer-encoding": "chunked" },
    ];
    for (const headers of told) {
      const answer = await post(large, headers);
      expect(answer.status).toBe(413);
      expect(answer.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    }
  });

  it("answers to POST alone", async () => {
    expect((await ask(`${app.url}/api/agents/helper/channels/hooked/webhook`)).status).toBe(404);
  });

  it("says so when nothing is there", async () => {
    const answer = await post("x", {}, "nothing");
    expect(answer.status).toBeGreaterThanOrEqual(404);
    expect(answer.json()).toMatchObject({ code: expect.stringMatching(/PLUGIN_NOT/) });
  });

  it("takes 60 a minute, and the plugin sees no more than these", async () => {
    const statuses: number[] = [];
    let seen = 0;
    for (let number = 0; number < 70; number += 1) {
      const answer = await post("x");
      statuses.push(answer.status);
      seen = Math.max(seen, Number(answer.headers["x-seen"] ?? 0));
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
    expect(seen).toBeLessThanOrEqual(60);
    expect((await post("x")).json()).toMatchObject({ code: "RATE_LIMITED" });
  });
});
