import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeFiles } from "../support/fixture-plugin.ts";
import { startVerdaccio, type TestRegistry } from "../support/verdaccio.ts";
import { type Bench, openBench } from "./support.ts";

let bench: Bench;
let registry: TestRegistry;
let prefix: string;
let programs: string;
let env: Record<string, string>;
const json = async (name: string, value: unknown) => {
  const file = join(bench.folder, name);
  await writeFile(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
};
const run = (args: string[], more: Record<string, string> = {}) =>
  bench.patchbay(["--json", "import", "openhermit", ...args], { env: { ...env, ...more } });

/** An older channel package, as they lie in the registry. */
async function publish(name: string, key: string, version: string) {
  const dir = join(bench.folder, "published", key, version);
  await writeFiles(dir, {
    "package.json": JSON.stringify({ name, version, type: "module", main: "index.js" }),
    "index.js": `export default {
  manifestVersion: 1, key: "${key}", namespace: "${key}", displayName: "${key}",
  secretKeys: [{ key: "app_secret", label: "App secret" }],
  async start() { return undefined; },
};
`,
  });
  await registry.publish(dir);
}

beforeAll(async () => {
  bench = await openBench();
  registry = await startVerdaccio();
  prefix = join(bench.folder, "global");
  programs = join(bench.folder, "programs");
  const home = join(bench.folder, "person");
  await Promise.all([prefix, programs, home].map((dir) => mkdir(dir)));
  await writeFile(join(home, ".npmrc"), `registry=${registry.url}\n`);
  const path = `${programs}:${process.env.PATH}`;
  env = { HOME: home, PATH: path, npm_config_registry: registry.url, npm_config_prefix: prefix };
  await publish("@acme/channel-lark", "lark", "1.0.0");
  await publish("@acme/channel-lark", "lark", "1.1.0");
  await publish("channel-debox", "debox", "2.0.0");
  // As `hermit channel install` does it.
  await promisify(execFile)("npm", ["install", "-g", "@acme/channel-lark@1.0.0"], {
    env: { ...process.env, ...env },
  });
});
afterAll(async () => {
  await registry.close();
  await bench.remove();
});

test("packages are listed with the versions that npm has, installed on request from its folder, and fetched where they are not there", async () => {
  const from = await json("gateway.json", {
    cors: { origin: "*" },
    channelPackages: ["@acme/channel-lark", " channel-debox", "channel-debox", "@openhermit/channel-signal"],
  });
  const lark = join(prefix, "lib/node_modules/@acme/channel-lark");

  const listed = await run(["--from", from]);
  expect(listed.json()).toEqual({
    from,
    plugins: [
      { name: "@acme/channel-lark", version: "1.0.0", spec: "@acme/channel-lark@1.0.0", files: lark },
      { name: "channel-debox", version: null, spec: "channel-debox", files: null },
      { name: "@openhermit/channel-signal", version: null, spec: "builtin:signal", files: null },
    ],
    channels: [],
  });
  expect(listed.code).toBe(0);
  expect((await bench.patchbay(["plugin", "list", "--json"])).json()).toEqual({ plugins: [] });

  const taken = await run(["--from", from, "--yes", "--accept-risk"]);
  expect(taken.json()).toMatchObject({
    plugins: [
      { name: "@acme/channel-lark", installed: true, key: "lark" },
      { name: "channel-debox", installed: true, key: "debox" },
      { name: "@openhermit/channel-signal", installed: true, key: "signal" },
    ],
  });
  expect(taken.code).toBe(0);
  const { plugins } = (await bench.patchbay(["plugin", "list", "--json"])).json<{
    plugins: { key: string; plugin: { packageVersion: string; source: { kind: string } } }[];
  }>();
  const found = Object.fromEntries(
    plugins.map(({ key, plugin }) => [key, `${plugin.packageVersion} ${plugin.source.kind}`]),
  );
  expect(found).toMatchObject({ lark: "1.0.0 folder", debox: "2.0.0 npm" });

  // A second time nothing of Patchbay's own is installed again.
  const again = await run(["--packages", "@openhermit/channel-signal", "--yes"]);
  expect(again.json()).toMatchObject({ plugins: [{ installed: true, key: "signal" }] });
});

test("one that fails stops no other", async () => {
  const taken = await run([
    "--packages",
    "nobody-has-this,@openhermit/channel-irc,@openhermit/channel-slack",
    "--yes",
  ]);
  expect(taken.code).toBe(1);
  expect(taken.json()).toMatchObject({
    plugins: [
      { name: "nobody-has-this", installed: false, problem: { code: "PACKAGE_NOT_FOUND" } },
      { name: "@openhermit/channel-irc", installed: false },
      { name: "@openhermit/channel-slack", installed: true, key: "slack" },
    ],
  });
});

test("a folder is looked through, also for a file that the gateway has taken over; the hermit command is asked otherwise", async () => {
  const folder = join(bench.folder, ".openhermit");
  await mkdir(folder);
  await writeFiles(folder, {
    "agents.json": "[]",
    "broken.json": "{",
    "gateway.json": JSON.stringify({ channelPackages: ["channel-debox"] }),
  });
  expect((await run(["--from", folder])).json()).toMatchObject({ from: join(folder, "gateway.json") });
  await rename(join(folder, "gateway.json"), join(folder, "gateway.json.imported"));
  expect((await run(["--from", folder])).json()).toMatchObject({
    from: join(folder, "gateway.json.imported"),
    plugins: [{ name: "channel-debox" }],
  });

  const hermit = join(programs, "hermit");
  const answers = async (script: string) => {
    await writeFile(hermit, `#!/bin/sh\n${script}\n`);
    await chmod(hermit, 0o755);
    return run([]);
  };
  const asked = await answers(
    '[ "$*" = "gateway config get channelPackages" ] && echo \'["@acme/channel-lark"]\'',
  );
  expect(asked.json()).toMatchObject({ from: "hermit", plugins: [{ version: "1.0.0" }] });
  expect((await answers("echo undefined")).json()).toMatchObject({ from: "hermit", plugins: [] });
  expect((await answers("echo nothing here")).json()).toMatchObject({
    error: { code: "BAD_INPUT", message: "What hermit prints as channelPackages is no JSON." },
  });
  expect((await answers("echo the gateway is down >&2; exit 3")).json()).toMatchObject({
    error: { code: "SOURCE_MISSING", message: "hermit does not tell its packages: the gateway is down" },
  });
});

test("without npm everything is fetched, and without hermit it is said where the list is", async () => {
  const bare = join(bench.folder, "bare");
  await mkdir(bare);
  // The command needs node alone.
  await promisify(execFile)("ln", ["-s", process.execPath, join(bare, "node")]);
  const PATH = bare;
  expect((await run(["--packages", "@acme/channel-lark"], { PATH })).json()).toMatchObject({
    plugins: [{ spec: "@acme/channel-lark", files: null }],
  });
  expect((await run([], { PATH })).json()).toMatchObject({
    error: {
      code: "SOURCE_MISSING",
      message: "There is no hermit command here to ask for the packages.",
      help: expect.stringContaining("--from"),
    },
  });
});

test("a name that is none installs nothing", async () => {
  const from = await json("option.json", '{"channelPackages": ["--yes"]}');
  const ended = await run(["--from", from, "--yes"]);
  expect(ended.code).toBe(1);
  expect(ended.json()).toMatchObject({
    error: { message: expect.stringContaining("is not the name of an npm package") },
  });
});

test("settings of built-in channels are carried over: lists, references and keys, which go to the vault", async () => {
  const channels = await json("channels.json", [
    {
      channelType: "telegram",
      enabled: true,
      config: {
        bot_token: "${{TELEGRAM_TOKEN}}",
        mode: "polling",
        allowed_chat_ids: ["123456789", -1001234567890],
        odd: true,
      },
    },
    { channel_type: "discord", config: { bot_token: "MTk4.literal.token" } },
    { namespace: "lark", config: { app_id: "a", app_secret: "${LARK}" } },
  ]);
  await bench.patchbay(["plugin", "install", "telegram", "--yes"], { env });
  const first = await run(["--packages", "", "--channels", channels, "--yes"]);
  expect(first.json()).toMatchObject({
    channels: [
      {
        type: "telegram",
        key: "telegram",
        settings: expect.arrayContaining(["token", "users", "groups"]),
        missing: ["TELEGRAM_TOKEN"],
        left: ["odd"],
        done: true,
      },
      { type: "discord", settings: ["token"], missing: [], done: true },
      // A package that is installed reads its settings as they are.
      { type: "lark", key: "lark", settings: ["app_id", "app_secret"], missing: ["LARK"], done: true },
    ],
  });
  expect(first.code).toBe(0);
  const settings = async (key: string) =>
    (await bench.patchbay(["--json", "plugin", "config", key, "--agent", "helper"])).json();
  expect(await settings("telegram")).toMatchObject({
    config: { channel: { token: "${TELEGRAM_TOKEN}", users: ["123456789"], groups: ["-1001234567890"] } },
  });
  const discord = await settings("discord");
  expect(discord).toMatchObject({ secretsSet: { token: true } });
  expect(JSON.stringify(discord)).not.toContain("literal");
  const kept = await readdir(bench.home, { recursive: true, withFileTypes: true });
  for (const file of kept.filter((one) => one.isFile()))
    expect(await readFile(join(file.parentPath, file.name), "latin1")).not.toContain("MTk4.literal.token");

  // What somebody set meanwhile is not overwritten.
  const second = await run(["--packages", "", "--channels", channels, "--yes"]);
  expect(second.code).toBe(1);
  expect(second.json()).toMatchObject({
    channels: ["telegram", "discord", "lark"].map((key) => ({
      problem: { message: `${key} has settings already; they are left as they are.` },
    })),
  });
});

test("an export that is none, and an agent that is not clear", async () => {
  for (const content of ["[1]", '"text"', '{"telegram": 1}', '[{"config": {}}]']) {
    const channels = await json("bad-channels.json", content);
    const ended = await run(["--packages", "", "--channels", channels, "--yes"]);
    expect(ended.json()).toMatchObject({
      error: {
        code: "BAD_INPUT",
        message: expect.stringContaining("is no list of channels as OpenHermit has it"),
      },
    });
  }
  await bench.patchbay(["agent", "create", "Second"]);
  const channels = await json("slack.json", { slack: { bot_token: "xoxb-1" } });
  const unclear = await run(["--packages", "", "--channels", channels, "--yes"]);
  expect(unclear.json()).toMatchObject({ error: { help: "Name it with --agent." } });
});

test("at a terminal it says what is left to do", async () => {
  const channels = await json("signal.json", [
    {
      type: "signal",
      config: { http_url: "http://127.0.0.1:8080", account: "+491701234567", allowed_group_ids: ["abc="] },
    },
    { type: "whatsapp", config: { auth_profile: "main" } },
  ]);
  const args = ["import", "openhermit", "--packages", "", "--channels", channels, "--agent", "second"];
  const listed = await bench.patchbay(args, { env });
  expect(listed.stdout).toContain("signal: takes over server, number, groups");
  expect(listed.stdout).toContain("whatsapp: settings as they are where its package is installed");
  const taken = await bench.patchbay([...args, "--yes"], { env });
  expect(taken.stdout).toContain("✓ signal: server, number, groups taken over.");
  expect(taken.stdout).toContain("▲ whatsapp: set it up again; OpenHermit had auth_profile.");
  expect(taken.stdout).toContain("Nothing is switched on");
  const config = await bench.patchbay(["--json", "plugin", "config", "signal", "--agent", "second"]);
  expect(config.json()).toMatchObject({
    config: { channel: { groups: [`group.${Buffer.from("abc=").toString("base64")}`] } },
  });
});

test("a whole home of OpenHermit: packages, settings, people and the secrets that they name; nothing in it is changed", async () => {
  const home = join(bench.folder, "person", ".openhermit");
  const secret = {
    lark: "lark-secret-4711",
    telegram: "7001:telegram-secret-4712",
    unused: "never-named-4713",
  };
  await writeFiles(home, {
    "gateway/gateway.json.imported": JSON.stringify({
      ui: true,
      cors: { origin: "*" },
      channelPackages: ["@acme/channel-lark", "@openhermit/channel-telegram"],
    }),
    "gateway/.env": "OPENHERMIT_SECRETS_KEY=x\n",
    "agents/main/secrets.json": JSON.stringify({
      TELEGRAM_BOT_TOKEN: { value: secret.telegram, passThrough: false },
      LARK_APP_SECRET: secret.lark,
      UNUSED: { value: secret.unused, passThrough: true },
      "not a name": "x",
    }),
  });
  // As `GET /api/agents/main/channels` answers.
  const row = {
    agentId: "main",
    kind: "builtin",
    label: null,
    enabled: true,
    secretsSet: true,
    revokedAt: null,
  };
  const channels = await json("export.json", [
    {
      ...row,
      id: "1",
      channelType: "telegram",
      namespace: "telegram",
      config: { bot_token: "${{TELEGRAM_BOT_TOKEN}}", mode: "polling", allowed_chat_ids: [11, -22] },
      runtimeStatus: "running",
    },
    {
      ...row,
      id: "2",
      channelType: "lark",
      namespace: "lark",
      config: {
        enabled: true,
        app_id: "cli_1",
        app_secret: "${{LARK_APP_SECRET}}",
        allowed_senders: ["ou_1"],
      },
    },
    { ...row, id: "3", channelType: "whatsapp", namespace: "whatsapp", config: { auth_profile: "main" } },
  ]);
  const tree = async () => {
    const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    const paths = files.map((file) => join(file.parentPath, file.name)).sort();
    return Promise.all(
      paths.map(async (path) => [path, (await stat(path)).mtimeMs, await readFile(path, "utf8")]),
    );
  };
  const before = await tree();
  await bench.patchbay(["agent", "create", "Moved"]);
  const secretsOf = async () =>
    (await bench.patchbay(["secret", "list", "--json"])).json<{
      secrets: { name: string; agentId: string }[];
    }>();
  const stored = JSON.stringify(await secretsOf());

  // Without --yes nothing happens; the home is found where OpenHermit has it.
  const bare = { PATH: join(bench.folder, "bare") };
  const args = ["--channels", channels, "--agent", "moved"];
  const plan = await run(args, bare);
  expect(plan.json()).toMatchObject({
    from: join(home, "gateway/gateway.json.imported"),
    plugins: [{ name: "@acme/channel-lark" }, { spec: "builtin:telegram" }],
    channels: [{ type: "telegram", stored: ["TELEGRAM_BOT_TOKEN"], missing: [], done: false }, {}, {}],
  });
  expect(JSON.stringify(await secretsOf())).toBe(stored);

  const taken = await run([...args, "--yes", "--accept-risk"], bare);
  expect(taken.json()).toMatchObject({
    channels: [
      {
        type: "telegram",
        settings: ["token", "users", "groups"],
        stored: ["TELEGRAM_BOT_TOKEN"],
        done: true,
      },
      { type: "lark", key: "lark", stored: ["LARK_APP_SECRET"], missing: [], done: true },
      { type: "whatsapp", key: null, left: ["auth_profile"], done: false },
    ],
  });
  const settings = async (key: string) =>
    (await bench.patchbay(["--json", "plugin", "config", key, "--agent", "moved"])).json();
  expect(await settings("telegram")).toMatchObject({
    config: { channel: { token: "${TELEGRAM_BOT_TOKEN}", users: ["11"], groups: ["-22"] } },
  });
  expect(await settings("lark")).toMatchObject({
    config: { channel: { app_id: "cli_1", app_secret: "${LARK_APP_SECRET}", allowed_senders: ["ou_1"] } },
  });
  const vault = JSON.stringify(await secretsOf());
  expect(vault).toContain("TELEGRAM_BOT_TOKEN");
  expect(vault).toContain("LARK_APP_SECRET");
  expect(vault).not.toContain("UNUSED");
  expect(await tree()).toEqual(before);
  // Nothing is switched on.
  expect((await bench.patchbay(["plugin", "list", "--json"])).stdout).not.toContain("moved");
  for (const value of Object.values(secret)) {
    expect(plan.stdout + taken.stdout + taken.stderr).not.toContain(value);
    expect(vault).not.toContain(value);
  }
});
