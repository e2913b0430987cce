import { expect, test } from "vitest";
import { type RegistryEntry, readEntry } from "./entry.ts";
import { offersOf } from "./offers.ts";

/** The example of the specification. */
const tickets = {
  server: {
    name: "io.github.acme/tickets",
    title: "Tickets",
    description: "Reads tickets",
    version: "1.4.0",
    packages: [
      {
        registryType: "npm",
        identifier: "@acme/tickets-mcp",
        version: "1.4.0",
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [
          {
            type: "named",
            name: "--region",
            value: "{r}",
            variables: { r: { choices: ["eu", "us"], default: "eu" } },
          },
          { type: "positional", valueHint: "folder", format: "filepath", isRequired: true },
        ],
        environmentVariables: [{ name: "ACME_KEY", isRequired: true, isSecret: true }],
      },
    ],
    remotes: [
      {
        type: "streamable-http",
        url: "https://{tenant}.acme.example/mcp",
        variables: { tenant: { isRequired: true } },
        headers: [{ name: "Authorization", value: "Bearer {t}", variables: { t: { isSecret: true } } }],
      },
    ],
  },
  _meta: {
    "io.modelcontextprotocol.registry/official": {
      status: "active",
      publishedAt: "2026-03-01T10:00:00Z",
      isLatest: true,
    },
  },
};

const read = (raw: unknown) => readEntry(raw) as RegistryEntry;

test("a package of npm is fetched by Patchbay and gets its arguments, its settings and its key", () => {
  const [npm, remote] = offersOf(read(tickets)).offers;
  expect(npm).toMatchObject({
    kind: "npm",
    fetch: { npm: "@acme/tickets-mcp@1.4.0" },
    file: {
      server: {
        type: "node",
        args: ["--region", { input: "r" }, { input: "folder" }],
        env: { ACME_KEY: { input: "ACME_KEY" } },
      },
      inputs: [
        { name: "ACME_KEY", secret: true, required: true },
        { name: "r", choices: ["eu", "us"], default: "eu", required: false },
        { name: "folder", type: "file", required: true },
      ],
    },
  });
  expect(remote).toMatchObject({
    kind: "remote",
    file: {
      server: {
        type: "remote",
        transport: "http",
        url: { join: ["https://", { input: "tenant" }, ".acme.example/mcp"] },
        headers: { Authorization: { join: ["Bearer ", { input: "t" }] } },
      },
      inputs: [
        { name: "t", secret: true },
        { name: "tenant", required: true },
      ],
    },
  });
});

test("names with underscores, and a kind that nobody knows, make nothing else unreadable", () => {
  const old = {
    name: "com.example/old",
    description: "x",
    version: "1",
    packages: [
      {
        registry_type: "pypi",
        identifier: "old-mcp",
        version: "0.2",
        environment_variables: [{ name: "A_B", is_secret: true }],
      },
      { registry_type: "cargo", identifier: "old" },
      "nonsense",
    ],
  };
  expect(offersOf(read(old))).toMatchObject({
    offers: [
      {
        kind: "pypi",
        file: {
          server: { type: "program", command: "uvx", args: ["old-mcp@0.2"], env: { A_B: { input: "A_B" } } },
          inputs: [{ name: "A_B", secret: true }],
        },
      },
    ],
    unknown: ["cargo"],
  });
});

test("a container gets the names of its variables and never their values on its command line", () => {
  const entry = read({
    name: "a/b",
    version: "1",
    packages: [
      {
        registryType: "oci",
        identifier: "ghcr.example/acme/b:1.0",
        runtimeArguments: [{ type: "named", name: "--network", value: "none" }],
        environmentVariables: [{ name: "KEY", isSecret: true }],
      },
    ],
  });
  expect(offersOf(entry).offers[0]?.file.server).toEqual({
    type: "program",
    command: "docker",
    args: ["run", "-i", "--rm", "-e", "KEY", "--network", "none", "ghcr.example/acme/b:1.0"],
    env: { KEY: { input: "KEY" } },
    cwd: "workspace",
  });
});

test("a bundle without its hash is not taken", () => {
  const mcpb = { registryType: "mcpb", identifier: "https://example.com/a.mcpb" };
  const entry = (more: object) => read({ name: "a/b", version: "1", packages: [{ ...mcpb, ...more }] });
  expect(offersOf(entry({})).offers).toEqual([]);
  expect(offersOf(entry({ fileSha256: "ab" })).offers[0]?.fetch).toEqual({
    bundle: "https://example.com/a.mcpb",
    sha256: "ab",
  });
});

test("what a registry says of an entry comes with it", () => {
  const meta = { status: "deleted", statusMessage: "malware", isLatest: false };
  const entry = readEntry({ ...tickets, _meta: { "io.modelcontextprotocol.registry/official": meta } });
  expect(entry).toMatchObject({ status: "deleted", statusMessage: "malware", isLatest: false });
});

test.each([null, 7, {}, { name: "no slash", version: "1" }, { name: "a/b" }])("%j is no entry", (raw) => {
  expect(readEntry(raw)).toBeNull();
});
