import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
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

test.each([
  ["nowhere.json", null, "There is nothing at"],
  ["empty.json", "", "is not valid JSON"],
  ["text.json", '{"channelPackages": "channel-debox"}', "are no list of names"],
  ["numbers.json", '{"channelPackages": [1]}', "are no list of names"],
  ["without.json", '{"ui": {}}', "has no channelPackages"],
  ["path.json", '{"channelPackages": ["../../etc"]}', "“../../etc” in"],
  ["pinned.json", '{"channelPackages": ["channel-debox@2.0.0"]}', "is not the name of an npm package"],
  ["git.json", '{"channelPackages": ["git+https://x.org/y.git"]}', "is not the name of an npm package"],
  ["option.json", '{"channelPackages": ["--yes"]}', "is not the name of an npm package"],
])("%s is refused in one sentence", async (name, content, words) => {
  const from = content === null ? join(bench.folder, name) : await json(name, content);
  const ended = await run(["--from", from, "--yes"]);
  expect(ended.code).toBe(1);
  expect(ended.json<{ error: { message: string } }>().error.message).toContain(words);
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
      { type: "lark", key: null, left: ["app_id", "app_secret"], done: false },
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
    channels: [{ problem: { message: "telegram has settings already; they are left as they are." } }, {}, {}],
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
  expect(listed.stdout).toContain("whatsapp: to be set up again");
  const taken = await bench.patchbay([...args, "--yes"], { env });
  expect(taken.stdout).toContain("✓ signal: server, number, groups taken over.");
  expect(taken.stdout).toContain("▲ whatsapp: set it up again; OpenHermit had auth_profile.");
  expect(taken.stdout).toContain("Nothing is switched on");
  const config = await bench.patchbay(["--json", "plugin", "config", "signal", "--agent", "second"]);
  expect(config.json()).toMatchObject({
    config: { channel: { groups: [`group.${Buffer.from("abc=").toString("base64")}`] } },
  });
});
