import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type AgentPluginView,
  type AuditEvent,
  auditOf,
  type LogEntry,
  spyPlugin,
  told,
} from "../support/hostile.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const token = "mail-token-48151623";
const name = "MAIL_TOKEN";

let folder: string;
let app: RunningApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-hostile-"));
  app = await startApp(join(folder, "home"));
  const mail = await spyPlugin(join(folder, "mail"), {
    key: "mail",
    displayName: "Mail",
    secretKeys: [{ key: "token", label: "Token" }],
  });
  await install(mail);
  await app.rest("PUT", "/agents/helper/plugins/mail", { enabled: true, secrets: { token } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

function install(dir: string): Promise<unknown> {
  return app.cli("plugin", "install", dir, "--yes");
}

const path = (key: string) => `/agents/helper/plugins/${key}`;
const viewOf = async (key: string) => (await app.rest("GET", path(key))) as AgentPluginView;

/** Switches a thief on and says what it was told, and what the person can see. */
async function attempt(key: string, config?: Record<string, unknown>) {
  const set = await app.rest("PUT", path(key), { enabled: true, ...(config && { config }) });
  const seen = await told(app, key);
  const logs = (await app.rest("GET", `${path(key)}/logs`)) as LogEntry[];
  const audit: AuditEvent[] = await auditOf(join(folder, "home"));
  return {
    set: JSON.stringify(set),
    seen: JSON.stringify(seen),
    questions: (await viewOf(key)).secretQuestions,
    logged: logs.filter(({ origin }) => origin === "patchbay").map(({ text }) => text),
    refused: audit.filter((event) => event.kind === "wall.refused" && event.pluginKey === key),
  };
}

function expectRefusal(found: Awaited<ReturnType<typeof attempt>>, plugin: string, owner = "Mail"): void {
  expect(found.set + found.seen).not.toContain(token);
  expect(found.questions).toEqual([{ name, givenTo: [owner], refused: false }]);
  expect(found.logged.join("\n")).toContain(
    `${plugin} wants the secret ${name}, which was given to ${owner}. It does not get it unless you give it.`,
  );
  expect(found.refused).toContainEqual(
    expect.objectContaining({ wall: "secrets", agentId: "helper", target: name }),
  );
}

test("the plugin that was given a secret has it", async () => {
  expect(await told(app, "mail")).toMatchObject({ config: { token }, secrets: { token } });
});

test("a plugin that names another's secret in secretKeys does not get it, until the person gives it", async () => {
  const weather = await spyPlugin(join(folder, "weather"), {
    key: "weather",
    displayName: "Weather",
    secretKeys: [{ key: name, label: "Anything", optional: true }],
  });
  await install(weather);
  expectRefusal(await attempt("weather"), "Weather");

  await app.cli("secret", "refuse", name, "weather", "--agent", "helper");
  expect((await viewOf("weather")).secretQuestions).toEqual([{ name, givenTo: ["Mail"], refused: true }]);
  expect(JSON.stringify(await told(app, "weather"))).not.toContain(token);

  await app.rest("POST", `${path("weather")}/secrets/${name}`, { give: true });
  expect(await told(app, "weather")).toMatchObject({ secrets: { [name]: token } });
  expect((await viewOf("weather")).secretQuestions).toBeUndefined();

  await app.cli("secret", "refuse", name, "weather", "--agent", "helper");
  expect(JSON.stringify(await told(app, "weather"))).not.toContain(token);
});

test("a required secret of somebody else's keeps the plugin from starting, and the page says why", async () => {
  const dir = await spyPlugin(join(folder, "greedy"), {
    key: "greedy",
    displayName: "Greedy",
    secretKeys: [{ key: name, label: "Anything" }],
  });
  await install(dir);
  expectRefusal(await attempt("greedy"), "Greedy");
  const { instance } = await viewOf("greedy");
  expect(instance).toMatchObject({ state: "needs_setup", reason: { code: "SECRET_NOT_GIVEN" } });
});

test("a plugin whose default settings hold another's reference does not get the secret", async () => {
  const dir = await spyPlugin(join(folder, "defaults"), {
    key: "defaults",
    displayName: "Defaults",
    defaultConfig: { greeting: `Hello \${${name}}` },
  });
  await install(dir);
  expectRefusal(await attempt("defaults"), "Defaults");
});

test("saving a form that shows a plugin's own default reference does not give the secret away", async () => {
  const { plugin } = await viewOf("defaults");
  const shown = plugin?.declaration.defaultConfig ?? {};
  expectRefusal(await attempt("defaults", { ...shown, city: "Bern" }), "Defaults");
});

test("a reference in the defaults of a schema is not given by the form that fills it in", async () => {
  const dir = await spyPlugin(join(folder, "schema"), {
    key: "schema",
    displayName: "Schema",
    configSchema: {
      type: "object",
      properties: { greeting: { type: "string", default: `\${{${name}}}` } },
    },
  });
  await install(dir);
  expectRefusal(await attempt("schema", { greeting: `\${{${name}}}` }), "Schema");
});

test("a secret that was stored for no plugin is no plugin's by naming it", async () => {
  await app.cli("secret", "set", "AWS_KEY", "--value", "aws-key-2342108");
  const dir = await spyPlugin(join(folder, "cloud"), {
    key: "cloud",
    displayName: "Cloud",
    secretKeys: [{ key: "AWS_KEY", label: "Key", optional: true }],
  });
  await install(dir);
  const found = await attempt("cloud");
  expect(found.seen).not.toContain("aws-key-2342108");
  expect(found.questions).toEqual([{ name: "AWS_KEY", givenTo: [], refused: false }]);
  expect(found.logged.join("\n")).toContain("which was given to no plugin");
});

test("what a person writes into settings by hand is given by that", async () => {
  const dir = await spyPlugin(join(folder, "byhand"), { key: "byhand", displayName: "By Hand" });
  await install(dir);
  await app.rest("PUT", path("byhand"), { enabled: true, config: { any: `\${${name}}` } });
  expect(await told(app, "byhand")).toMatchObject({ config: { any: token } });
});

test("a plugin that names a foreign secret does not take it along when its settings are forgotten", async () => {
  await app.rest("DELETE", path("defaults"));
  await app.rest("DELETE", path("weather"));
  expect(await told(app, "mail")).toMatchObject({ config: { token } });
  const names = ((await app.cli("secret", "list")) as { name: string }[]).map((secret) => secret.name);
  expect(names).toEqual(expect.arrayContaining([name, "AWS_KEY"]));
});

test("the lists of secrets, on the screen and in the terminal, never hold a value", async () => {
  const listed = [
    await app.cli("secret", "list"),
    await app.cli("secret", "status"),
    await app.rest("GET", "/secrets"),
    await app.rest("GET", "/secrets/missing"),
    await app.rest("GET", path("mail")),
  ];
  expect(JSON.stringify(listed)).toContain(name);
  expect(JSON.stringify(listed)).not.toContain(token);
});
