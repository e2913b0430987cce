import { chmod, copyFile, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { McpApp } from "./mcp-app.ts";
import { LocalRegistry } from "./servers/registry.ts";

const acme = (name: string, more: object) => ({
  server: { name: `com.acme/${name}`, description: "x", version: "1.4.0", packages: [more] },
});
const key = { name: "ACME_KEY", isSecret: true, isRequired: true };
const region = { type: "named", name: "--region", choices: ["eu", "us"], default: "eu" };

let app: McpApp;
let registry: LocalRegistry;
let programs: string;
const before = { PATH: process.env.PATH ?? "", SHELL: process.env.SHELL ?? "" };

beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), "patchbay-programs-"));
  // The shell of whoever runs this may know other programs of these names.
  Object.assign(process.env, { PATH: [programs, before.PATH].join(delimiter), SHELL: "" });
  // Programs of these names that are one server, and say how they were started.
  for (const name of ["uvx", "docker"]) {
    await copyFile(join(import.meta.dirname, "servers", "told.sh"), join(programs, name));
    await chmod(join(programs, name), 0o755);
  }
  // The index that it asks has one package.
  await writeFile(
    join(programs, "uv"),
    '#!/bin/sh\nread wanted\ntest "$wanted" = acme-tool && echo acme-tool==2.5.0\n',
    { mode: 0o755 },
  );
  app = await McpApp.open();
  registry = await LocalRegistry.open([
    acme("snake", {
      registryType: "pypi",
      identifier: "acme-snake",
      version: "1.4.0",
      runtimeArguments: [{ type: "named", name: "--python", value: "3.12" }],
      packageArguments: [region],
      environmentVariables: [key],
    }),
    acme("whale", {
      registryType: "oci",
      identifier: "ghcr.example/acme/whale:1.4.0",
      packageArguments: [region],
      environmentVariables: [{ ...key, name: "WHALE_KEY" }],
    }),
    acme("dot", { registryType: "nuget", identifier: "Acme.Dot", version: "1.4.0" }),
  ]);
  await app.client.app.updateSettings({ mcpRegistry: registry.url });
});
afterAll(async () => {
  Object.assign(process.env, before);
  await app?.close();
  await registry?.close();
  await rm(programs, { recursive: true, force: true });
});

const toldBy = async (name: string) => {
  const { text = "" } = await app.call(`${name}__told`);
  const [args, key, cache, folder] = text.split(" | ");
  return { args, key, cache, folder };
};

test("a package of Python is started by uvx, at its exact version, with its key in the environment alone", async () => {
  expect(await app.install("mcp-registry:com.acme/snake")).toMatchObject({ status: "done", problem: null });
  expect(await app.client.plugins.get({ key: "snake" })).toMatchObject({
    consent: {
      starts: {
        way: "program",
        command: "uvx --python 3.12 acme-snake@1.4.0 --region ‹region›",
        given: ["ACME_KEY"],
        fetches: true,
        openSecrets: [],
      },
    },
  });
  expect((await app.switchOn("snake", { ACME_KEY: "a key of nobody", region: "us" })).lastError).toBeNull();
  expect(await toldBy("snake")).toEqual({
    args: "--python 3.12 acme-snake@1.4.0 --region us",
    key: String("a key of nobody".length),
    cache: expect.stringContaining("cache"),
    folder: tmpdir(),
  });
});

test("a version that a command does not name is found out before the question, or said to be whatever is newest", async () => {
  const command = async (line: string) => (await app.install(line)).consent?.asks.starts;
  expect(await command("uvx acme-tool --region eu")).toMatchObject({
    command: "uvx acme-tool@2.5.0 --region eu",
  });
  expect((await app.switchOn("acme-tool")).lastError).toBeNull();
  expect(await toldBy("acme-tool")).toMatchObject({ args: "acme-tool@2.5.0 --region eu" });
  expect(await command("uvx acme-other")).toMatchObject({ command: "uvx acme-other", newest: true });
  expect(await command("docker run -i --rm acme/dolphin")).toMatchObject({ newest: true });
});

test("a server is started in the folder that it had elsewhere where the person ticks that, else in the workspace", async () => {
  const { client, agentId } = app;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "patchbay-project-")));
  const text = (name: string) =>
    JSON.stringify({ [name]: { command: "uvx", args: ["acme-tool"], cwd: folder } });
  const { id } = await client.jobs.install({ spec: text("ticked") });
  for await (const { status, consent } of await client.jobs.watch({ id })) {
    if (status !== "waiting" || !consent?.grants) continue;
    expect([consent.asks.folders, consent.grants.files.folders]).toEqual([[folder], []]);
    const files = { ...consent.grants.files, folders: [{ path: folder, access: "write" as const }] };
    await client.jobs.consent({ id, accept: true, grants: { ...consent.grants, files } });
  }
  expect((await app.switchOn("ticked")).lastError).toBeNull();
  expect(await toldBy("ticked")).toMatchObject({ folder });

  // A yes in advance ticks nothing.
  expect(await app.install(text("unticked"))).toMatchObject({ status: "done" });
  expect((await app.switchOn("unticked")).lastError).toBeNull();
  const { folder: started } = await toldBy("unticked");
  expect(started).not.toBe(folder);
  expect(JSON.stringify(await client.agentPlugins.logs({ agentId, key: "unticked" }))).toContain(
    `the folder ${folder} is not granted.`,
  );
  await rm(folder, { recursive: true });
});

test("a container is told the name of its key, and never the key", async () => {
  expect(await app.install("mcp-registry:com.acme/whale")).toMatchObject({ status: "done", problem: null });
  const { lastError, instance } = await app.switchOn("whale", { WHALE_KEY: "another key of nobody" });
  expect({ lastError, state: instance.state }).toEqual({ lastError: null, state: "running" });
  expect(await toldBy("whale")).toMatchObject({
    args: "run -i --rm -e WHALE_KEY ghcr.example/acme/whale:1.4.0 --region eu",
    key: String("another key of nobody".length),
  });
});

test("a program that is missing is named before one agrees and at the start, with where it was looked for", async () => {
  expect(await app.install("mcp-registry:com.acme/dot")).toMatchObject({
    status: "done",
    consent: {
      asks: { starts: { missing: { program: "dnx", folders: expect.arrayContaining([programs]) } } },
    },
  });
  const { lastError } = await app.switchOn("dot");
  expect(lastError).toMatchObject({
    code: "PROGRAM_MISSING",
    message: expect.stringMatching(/needs dnx, which was not found in: .*patchbay-programs-/),
    help: "Install .NET 10.",
  });
});
