import { afterAll, beforeAll, expect, test } from "vitest";
import { changeOfSetup } from "../../src/main/agent-plugins/finished-setup.ts";
import { systemClock } from "../../src/main/base/clock.ts";
import { Permissions } from "../../src/main/permissions/permissions.ts";
import { PluginCredentials } from "../../src/main/setup/persist/plugin-credentials.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld } from "../support/pool-world.ts";

const token = "mail-token-31415926";

let world: PoolWorld;

beforeAll(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.vault.set("MAIL_TOKEN", "ada", token);
  await world.agentPlugins.set("ada", "mail", { config: { token: `\${MAIL_TOKEN}` }, given: ["MAIL_TOKEN"] });
});
afterAll(async () => {
  await world.close();
});

test("a setup whose result names another's secret is neither told its value nor given it", async () => {
  const plugin = await world.install("misfit");
  const seen: unknown[] = [];
  const change = await changeOfSetup(
    {
      agentId: "ada",
      plugin,
      reason: "first",
      credentials: null,
      typed: [],
      outcome: {
        config: { tools: { greeting: `Hello \${MAIL_TOKEN}`, again: `\${{MAIL_TOKEN}}` } },
        secrets: {},
        account: null,
        sensitive: [],
        grant: null,
        whole: false,
        check: async (config) => void seen.push(config),
      },
    },
    undefined,
    world.vault,
    world.runtime,
    systemClock,
  );
  expect(JSON.stringify(seen)).not.toContain(token);
  const row = change.row(new Map());
  expect(row.given).toEqual([]);
  await world.agentPlugins.set("ada", "misfit", row);
  await world.pool.apply("ada", "misfit");
  // The person sees why it does not run, in the state and in the log.
  expect(world.pool.view("ada", "misfit")).toMatchObject({
    state: "needs_setup",
    reason: { code: "SECRET_NOT_GIVEN", details: { name: "MAIL_TOKEN" } },
  });
  expect(world.pool.logs("ada", "misfit").map(({ text }) => text)).toContainEqual(
    expect.stringContaining("wants the secret MAIL_TOKEN"),
  );
});

test("a setup whose result names a host that nobody typed does not get to it by that", async () => {
  const plugin = await world.install("misfit");
  const outcome = {
    config: { tools: { greeting: "http://127.0.0.1:8080/admin", mirror: "mail.example.org" } },
    secrets: {},
    account: null,
    sensitive: [],
    grant: null,
    whole: false,
    check: async () => {},
  };
  const setup = { agentId: "ada", plugin, reason: "first" as const, credentials: null, outcome };
  const change = await changeOfSetup(
    { ...setup, typed: [{ account: "me@mail.example.org" }] },
    undefined,
    world.vault,
    world.runtime,
    systemClock,
  );
  await world.agentPlugins.set("ada", "misfit", change.row(new Map()));
  const asked: string[] = [];
  const permissions = new Permissions({
    agentPlugins: world.agentPlugins,
    audit: { record() {} },
    ask: async (_agentId, _key, question) => {
      asked.push(JSON.stringify(question));
      return "no";
    },
  });
  const reach = (host: string, port: number) =>
    permissions
      .walls("ada", plugin, () => {})
      .judge.decide({ host, port, addresses: async () => [host] }, new AbortController().signal);
  expect(await reach("127.0.0.1", 8080)).toMatchObject({ allowed: false });
  expect(asked.join()).toContain("127.0.0.1:8080");
  // What the person typed counts, and what they save themselves.
  expect(await reach("mail.example.org", 993)).toEqual({ allowed: true });
  await world.agentPlugins.set("ada", "misfit", { ownHosts: [] });
  expect(await reach("127.0.0.1", 8080)).toEqual({ allowed: true });
});

test("a plugin whose key makes the name of another's secret neither reads nor overwrites it as its profiles", async () => {
  // `bank-x` would keep its profiles as BANK_X_CREDENTIALS, which is the secret `x_credentials` of `bank`.
  await world.vault.set("BANK_X_CREDENTIALS", "ada", JSON.stringify({ main: { pin: token } }));
  await world.agentPlugins.set("ada", "bank", {
    config: { x: `\${BANK_X_CREDENTIALS}` },
    given: ["BANK_X_CREDENTIALS"],
  });
  const thief = new PluginCredentials(world).of("ada", "bank-x");
  expect(await thief.get("main")).toBeNull();
  await expect(thief.set("main", { pin: "0000" })).rejects.toMatchObject({
    code: "BAD_INPUT",
    message: expect.stringContaining("belongs to another plugin"),
  });
  expect(world.vault.resolve("BANK_X_CREDENTIALS", "ada")).toContain(token);
  const honest = new PluginCredentials(world).of("ada", "purse");
  await honest.set("main", { pin: "1234" });
  expect(await honest.get("main")).toEqual({ pin: "1234" });
});

test("what a plugin says of a secret in hex, base64, a URL or cut by line breaks is masked in its log", async () => {
  await world.install("misfit");
  await world.agentPlugins.set("ada", "misfit", { enabled: true, config: {}, given: [] });
  const bytes = Buffer.from(token);
  const spellings = [
    token,
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    bytes.toString("base64"),
    Buffer.from(`user:${token}`).toString("base64").replace(/.{10}/g, "$&\n"),
    encodeURIComponent(token),
    JSON.stringify({ token }),
    token.replace(/.{6}/g, "$&\r\n"),
  ];
  for (const text of spellings) world.pool.note("ada", "misfit", "info", `it is ${text} indeed`, "plugin");
  const said = world.pool.logs("ada", "misfit").slice(-spellings.length);
  for (const { text } of said) expect(text).toContain("•••");
  const all = said.map(({ text }) => text).join("\n");
  for (const text of spellings) expect(all).not.toContain(text);
});
