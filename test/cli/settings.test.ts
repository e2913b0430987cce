import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { type Bench, openBench } from "./support.ts";

/** What a person does to settings, at the command line and over REST, with plugins that have defaults and strict schemas. */
describe("settings with defaults and secrets", () => {
  let bench: Bench;
  let app: RunningApp;
  const path = (key: string) => `/agents/ada/plugins/${key}`;
  const config = (key: string, ...args: string[]) =>
    app.cli("plugin", "config", key, "--agent", "ada", ...args) as Promise<Record<string, unknown>>;
  const secret = (key: string, name: string, value: string) =>
    bench.patchbay(["plugin", "config", key, "--agent", "ada", "--secret", name, "--json"], { input: value });
  const tools = (inner: object) => ({ type: "object", properties: { tools: inner }, required: ["tools"] });

  beforeAll(async () => {
    bench = await openBench();
    const plugins = {
      strict: {
        secretKeys: [{ key: "TOKEN", label: "Token" }],
        configSchema: tools({
          type: "object",
          properties: { room: { type: "string", default: "lobby" } },
          required: ["room"],
          additionalProperties: false,
        }),
      },
      wanting: {
        secretKeys: [{ key: "TOKEN", label: "Token", optional: true }],
        configSchema: tools({ type: "object", properties: { url: { type: "string" } }, required: ["url"] }),
      },
      eager: { defaultConfig: { tools: { nickname: "bot", room: "lobby" } } },
    };
    app = await startApp(bench.home);
    await app.cli("agent", "create", "Ada");
    for (const [key, manifest] of Object.entries(plugins)) {
      const dir = await writePlugin(join(bench.folder, key), { key, manifest });
      await app.cli("plugin", "install", dir, "--yes", "--look");
    }
  });
  afterAll(async () => {
    await app.close();
    await bench.remove();
  });

  it("stores a secret that a strict schema does not name, and later changes of settings", async () => {
    expect((await secret("strict", "TOKEN", "hush-hush-1")).json()).toMatchObject({
      secretsSet: { TOKEN: true },
    });
    expect(await config("strict", "--set", "room=attic")).toMatchObject({
      config: { tools: { room: "attic", TOKEN: "${STRICT_TOKEN}" } },
    });
    const row = (await app.rest("GET", path("strict"))) as { config: { tools: object } };
    const body = {
      config: { tools: { ...row.config.tools, room: "cellar" } },
      secrets: { TOKEN: "hush-hush-2" },
    };
    expect(await app.rest("PUT", path("strict"), body)).toMatchObject({
      config: { tools: { room: "cellar" } },
      secretsSet: { TOKEN: true },
    });
    await app.cli("plugin", "enable", "strict", "--agent", "ada");
    expect(await app.rest("GET", path("strict"))).toMatchObject({ enabled: true, lastError: null });
  });

  it("takes settings in which a required field with a default is not said", async () => {
    const { config } = (await app.rest("GET", path("strict"))) as { config: { tools: { TOKEN: string } } };
    const tools = { TOKEN: config.tools.TOKEN };
    const saved = (await app.rest("PUT", path("strict"), { config: { tools } })) as object;
    expect(saved).toMatchObject({ config: { tools } });
    expect(saved).not.toHaveProperty("config.tools.room");
  });

  it("stores a secret although a setting is missing that has nothing to do with it", async () => {
    expect((await secret("wanting", "TOKEN", "hush-hush-3")).json()).toMatchObject({
      secretsSet: { TOKEN: true },
    });
    await expect(config("wanting", "--set", "other=1")).rejects.toMatchObject({
      stdout: expect.stringContaining("`url` is missing."),
    });
  });

  it("changes one of the settings that the plugin begins with, and keeps the others", async () => {
    expect(await config("eager", "--set", "room=attic")).toMatchObject({
      config: { tools: { nickname: "bot", room: "attic" } },
    });
    await config("eager", "--unset", "nickname");
    expect(await config("eager")).toMatchObject({ config: { tools: { room: "attic" } } });
  });
});
