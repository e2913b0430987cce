import { expect, test } from "vitest";
import {
  type Asks,
  asksOf,
  type Capabilities,
  type Permissions,
  type Plugin,
  type PluginSource,
  type SecretKey,
} from "../../../contract/index.ts";
import type { Inspection } from "../../runtimes/runtime.ts";
import { consentFor } from "./consent.ts";

const source: PluginSource = {
  kind: "npm",
  spec: "echo",
  registry: "https://registry.example/",
  integrity: null,
  treeHash: null,
  installedAt: "2026-01-01T00:00:00.000Z",
};

const shownFrom = { readFrom: "files" as const, tried: [], plugins: [] };

interface Says {
  capabilities?: Capabilities;
  permissions?: Permissions | null;
  asks?: Partial<Asks>;
  secretKeys?: SecretKey[];
}

function inspection(says: Says, version: string): Inspection {
  return {
    runtime: "native",
    manifestKey: "echo",
    packageName: "echo",
    packageVersion: version,
    displayName: "Echo",
    description: "Says what it is told.",
    capabilities: says.capabilities ?? {},
    declaration: {
      configSchema: null,
      defaultConfig: null,
      secretKeys: says.secretKeys ?? [],
      requiredHooks: [],
      publisher: "somebody",
    },
    consent: { ...asksOf(says.permissions ?? null), ...says.asks },
    warnings: [],
  };
}

function installed(says: Says, source: PluginSource): Plugin {
  return {
    ...inspection(says, "1.0.0"),
    id: "1",
    artifact: { kind: "folder", dir: "/plugins/echo/1.0.0" },
    source,
    trust: "unverified",
    scriptsAllowed: false,
    previous: [],
    createdAt: source.installedAt,
    updatedAt: source.installedAt,
  };
}

function changes(before: Says, after: Says, from: Partial<PluginSource> = {}): string[] {
  return whatChanged(before, after, { ...source, ...from }, source);
}

function whatChanged(before: Says, after: Says, now: PluginSource, then: PluginSource): string[] {
  const consent = consentFor(
    {
      inspection: inspection(after, "1.1.0"),
      enforcement: "None.",
      trust: "unverified",
      source: now,
      publisher: undefined,
      hasScripts: false,
      installed: installed(before, then),
      ...shownFrom,
    },
    null,
  );
  expect(consent.replaces).toBe("1.0.0");
  return consent.changes;
}

test("a first installation names publisher, trust and what is enforced", () => {
  const consent = consentFor(
    {
      inspection: inspection({}, "1.0.0"),
      enforcement: "Crash isolation, not a sandbox.",
      trust: "local",
      source,
      publisher: undefined,
      hasScripts: true,
      installed: undefined,
      ...shownFrom,
    },
    null,
  );
  expect(consent).toMatchObject({
    publisher: "somebody",
    trust: "local",
    hasScripts: true,
    enforcement: "Crash isolation, not a sandbox.",
    changes: [],
  });
  expect(consent.replaces).toBeUndefined();
});

test("an update that may do the same or less names nothing new", () => {
  const tools = { tools: { namespace: "echo", count: 3 } };
  expect(
    changes({ capabilities: tools }, { capabilities: { tools: { namespace: "echo", count: 1 } } }),
  ).toEqual([]);
  expect(
    changes({ permissions: { network: true, files: "all" } }, { permissions: { network: ["a"] } }),
  ).toEqual([]);
});

test.each<[string, Says, Says]>([
  ["It now offers tools.", {}, { capabilities: { tools: { namespace: "echo" } } }],
  ["It now is a chat channel.", {}, { capabilities: { channel: { hasSetup: false } } }],
  [
    "It now hooks into tool.before@v1.",
    { capabilities: { hooks: { events: ["turn.end@v1"] } } },
    { capabilities: { hooks: { events: ["turn.end@v1", "tool.before@v1"] } } },
  ],
  ["It now adds the command deploy.", {}, { capabilities: { commands: { names: ["deploy"] } } }],
  [
    "It now wants to reach b.example.",
    { permissions: { network: ["a.example"] } },
    { permissions: { network: ["a.example", "b.example"] } },
  ],
  [
    "It now wants to reach any address on the network.",
    { permissions: { network: ["a.example"] } },
    { permissions: { network: true } },
  ],
  ["It now wants the files of the workspace.", { permissions: {} }, { permissions: { files: "workspace" } }],
  ["It now wants all files.", { permissions: { files: "workspace" } }, { permissions: { files: "all" } }],
  ["It now wants to start other programs.", { permissions: {} }, { permissions: { subprocess: true } }],
  ["It no longer says what it needs permission for.", { permissions: {} }, { permissions: null }],
  ["It now wants leave for: store.", { asks: { grants: ["metadata"] } }, { asks: { grants: ["store"] } }],
  ["Nothing holds it to what it declares any more.", { asks: { enforced: true } }, {}],
  [
    "It now runs at installation: make all (build).",
    { asks: { scripts: [{ name: "build", command: "make" }] } },
    { asks: { scripts: [{ name: "build", command: "make all" }] } },
  ],
])("an update names what is new: %s", (sentence, before, after) => {
  expect(changes(before, after)).toEqual([sentence]);
});

test("an update from elsewhere says so", () => {
  const endpoint = (spec: string): PluginSource => ({ ...source, kind: "endpoint", spec });
  expect(whatChanged({}, {}, endpoint("desk:two"), endpoint("desk:one"))).toEqual([
    "It is at another address: desk:two, before desk:one.",
  ]);
  expect(changes({}, {}, { kind: "folder" })).toEqual([
    "It comes from another kind of source: a copied folder, before a package registry.",
  ]);
  expect(changes({}, {}, { registry: "https://other.example/" })).toEqual([
    "It comes from another registry: https://other.example/, before https://registry.example/.",
  ]);
});

test("an update that would get a secret itself, or send it further, asks for more", () => {
  const key = (hosts?: string[]): Says => ({
    secretKeys: [
      { key: "token", label: "Token", path: ["tools", "token"], ...(hosts && { sentOnlyTo: hosts }) },
    ],
  });
  const before = key(["api.example.com"]);
  const itself = "It now gets the secret token itself, which Patchbay put in before.";
  expect(changes(before, before)).toEqual([]);
  expect(changes(before, key())).toEqual([itself]);
  expect(changes(before, {})).toEqual([itself]);
  expect(changes(before, key(["api.example.com", "evil.example"]))).toEqual([
    "The secret token is now also sent to evil.example.",
  ]);
  expect(changes(key(), before)).toEqual([]);
});
