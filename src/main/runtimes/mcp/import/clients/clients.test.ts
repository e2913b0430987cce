import { execFileSync } from "node:child_process";
import { mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clientFiles, everythingIn, keys, writeHome } from "../../../../../../test/mcp/other-clients.ts";
import { BroughtServers } from "../brought-servers.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-clients-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const servers = (env: Record<string, string> = {}) =>
  new BroughtServers({
    elsewhere: () => ({ home, env: {}, platform: "linux", cwd: join(home, "project") }),
    environment: { get: async () => env },
  });

async function found(env: Record<string, string> = {}) {
  const { plugins, ...rest } = await servers(env).found();
  const byName = Object.fromEntries(plugins.map((plugin) => [plugin.name, plugin]));
  return { plugins, byName, ...rest };
}

test("each program's servers are found in its own form, and nothing of its files changes", async () => {
  await writeHome(home, clientFiles());
  const before = await everythingIn(home);
  const { plugins, byName, problem } = await found({ ACME_HOST: "acme.example", LINEAR_KEY: keys.linear });
  expect(problem).toBeNull();
  expect(await everythingIn(home)).toEqual(before);
  const shown = Object.fromEntries(
    plugins.map(({ name, status, server }) => [
      name,
      `${status} ${server?.clients.join("+")} ${server?.how}: ${server?.command}`,
    ]),
  );
  expect(shown).toEqual({
    tickets: "enabled Claude Desktop+Cursor npm: @acme/tickets@1.0.0 --region eu",
    files: "enabled Claude Desktop pypi: uvx mcp-files --root /srv",
    Notes: "disabled Claude Desktop bundle: node server.mjs",
    linear: "enabled Claude Code remote: https://mcp.linear.example/mcp",
    helper: "enabled Claude Code remote: https://mcp.helper.example/mcp",
    deploy: "enabled Claude Code program: /opt/deploy/bin/deploy mcp",
    github: "enabled Cursor remote: https://api.github.example/mcp",
    local: `enabled Cursor program: ${home}/bin/local ‹workspace›/src`,
    acme: "enabled VS Code npm: @acme/mcp --region=‹region›",
    socket: "unsupported VS Code program: ",
    copilot: "enabled Copilot CLI program: copilot-server",
    wind: "enabled Windsurf remote: https://wind.example/sse",
    devin: "enabled Devin remote: https://devin.example/mcp",
    postgres: "disabled Zed program: pg-mcp ‹argument›",
    cline: "disabled Cline remote: https://cline.example/mcp",
    codex: "enabled Codex program: codex-server --fast",
    bearer: "disabled Codex remote: https://bearer.example/mcp",
    old: "enabled Gemini CLI remote: https://old.example/sse",
    new: "enabled Gemini CLI remote: https://new.example/mcp",
    studio: "enabled LM Studio program: studio-server",
    tracker: "enabled Goose pypi: uvx tracker-mcp",
    web: "disabled Goose remote: https://goose.example/mcp",
    oc: "enabled opencode npm: oc-mcp",
    "oc-remote": "disabled opencode remote: https://oc.example/mcp",
    kiro: "enabled Kiro program: kiro-server",
    anti: "enabled Antigravity remote: https://anti.example/mcp",
    continued: "enabled Continue npm: continued-mcp",
    droid: "enabled Factory program: droid-server",
  });
  const inputs = (name: string) =>
    byName[name]?.server?.inputs.map(({ name: input, secret, set }) => [input, secret, set]);
  expect(inputs("tickets")).toEqual([["ACME_KEY", true, true]]);
  expect(inputs("linear")).toEqual([["LINEAR_KEY", true, true]]);
  expect(inputs("acme")).toEqual([
    ["acme-key", true, false],
    ["login", false, false],
    ["ACME_HOST", false, true],
    ["region", false, true],
  ]);
  expect(inputs("postgres")).toEqual([["argument", true, true]]);
  expect(inputs("Notes")).toEqual([
    ["key", true, false],
    ["limit", false, true],
  ]);
  const notes = (name: string) => byName[name]?.server?.notes.map(({ code, what }) => `${code} ${what}`);
  expect(notes("helper")).toEqual(["headers_helper /opt/acme/headers.sh"]);
  expect(notes("local")).toEqual(["env_file .env"]);
  expect(notes("acme")).toEqual(["asked Key of Acme", "command_input acme.login", "asked Region"]);
  expect(notes("socket")).toEqual(["socket unix:///tmp/acme.sock"]);
  expect(notes("wind")).toEqual(["tools_off drop, wipe"]);
  expect(notes("cline")).toEqual(["auto_approve read, list"]);
  expect(notes("tracker")).toEqual(["asked TRACKER_KEY", "tools_off find"]);
  expect(notes("oc")).toEqual(["file_value ~/.oc-token"]);
  expect(notes("bearer")).toEqual(["unset BEARER_KEY"]);
  expect(notes("postgres")).toEqual(["secret_argument argument"]);
  const told = JSON.stringify(plugins);
  for (const key of Object.values(keys)) expect(told).not.toContain(key);
});

test("a variable that is not set is said as it stands there", async () => {
  await writeHome(home, {
    ".cursor/mcp.json": '{"mcpServers": {"x": {"command": "x", "env": {"ACME_KEY": "${env:ACME_KEY}"}}}}',
  });
  const { byName } = await found();
  expect(byName.x?.server).toMatchObject({
    inputs: [{ name: "ACME_KEY", secret: true, set: false }],
    notes: [{ code: "unset", what: "ACME_KEY", was: "${env:ACME_KEY}" }],
  });
});

test("a broken file is told with its program and line, and the others go on", async () => {
  await writeHome(home, {
    ".cursor/mcp.json": '{\n  "mcpServers": {\n    "x": { "command": ]\n  }\n}',
    ".codex/config.toml": "[mcp_servers.x]\ncommand = \n",
    ".config/goose/config.yaml": "extensions:\n  - [\n",
    ".lmstudio/mcp.json": '{"mcpServers": {"studio": {"command": "studio-server"}}}',
  });
  const { byName, problem } = await found();
  expect(Object.keys(byName)).toEqual(["studio"]);
  expect(problem).toMatch(/Cursor: .*mcp\.json cannot be read, line 3\./);
  expect(problem).toMatch(/Codex: .*config\.toml cannot be read, line \d/);
  expect(problem).toMatch(/Goose: .*config\.yaml cannot be read, line \d/);
});

test("devices, pipes, folders and huge files are not read", async () => {
  await writeHome(home, {
    ".cursor/x": "",
    ".lmstudio/x": "",
    ".factory/mcp.json/x": "",
    ".kiro/settings/mcp.json": "{}",
    ".gemini/settings.json": '{"mcpServers": {"old": {"url": "https://old.example/sse"}}}',
  });
  execFileSync("mkfifo", [join(home, ".cursor", "mcp.json")]);
  await symlink("/dev/zero", join(home, ".lmstudio", "mcp.json"));
  await truncate(join(home, ".kiro", "settings", "mcp.json"), 200 * 1024 * 1024);
  const { byName, problem } = await found();
  expect(Object.keys(byName)).toEqual(["old"]);
  for (const client of ["Cursor", "LM Studio", "Factory"])
    expect(problem).toMatch(new RegExp(`${client}: \\S+ is left out, it is no plain file`));
  expect(problem).toMatch(/Kiro: \S+ is left out, it is larger than 32 MB/);
});

test("ten thousand servers, odd names and values of any form are bounded and harm nothing", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`s${index}`, { command: `c${index}` }]),
  );
  await writeHome(home, {
    ".cursor/mcp.json": JSON.stringify({ mcpServers: many }),
    ".lmstudio/mcp.json":
      '{"mcpServers": {"__proto__": {"command": "p", "env": {"__proto__": "x"}}, "constructor": {"command": "c"}, "../../x": {"command": "t"}, "n": null, "a": [1], "e": {"command": 5}, "l": {"command": "l", "args": {"a": 1}, "env": [1]}}}',
    ".kiro/settings/mcp.json": "[]",
    ".factory/mcp.json": '"text"',
  });
  const { plugins, byName, problem } = await found();
  expect(problem).toContain("lists 10000 servers; the first 500 are shown");
  expect(plugins).toHaveLength(500 + 5);
  expect(byName["../../x"]).toMatchObject({ spec: "mcp-client:lm-studio/..%2F..%2Fx", server: { key: "x" } });
  expect(byName.e).toMatchObject({ status: "unsupported", reason: "How e is started cannot be read." });
  expect(({} as Record<string, unknown>).command).toBeUndefined();
});

test("a server is found again by its spec with its values; one that is gone is said", async () => {
  await writeHome(home, clientFiles());
  const all = servers();
  const brought = await all.of("mcp-client:cursor/github");
  expect([...brought.values]).toEqual([["Authorization", keys.github]]);
  await writeFile(join(home, ".cursor", "mcp.json"), "{}");
  await expect(all.of("mcp-client:cursor/github")).rejects.toMatchObject({
    code: "SOURCE_MISSING",
    message: "Cursor has no server github any more.",
  });
});
