import { expect, test } from "vitest";
import { asksOf } from "../../contract/asks.ts";
import { type Grants, grantsOf } from "../../contract/grants.ts";
import type { Plugin } from "../../contract/plugin.ts";
import { pluginLines } from "./permission-lines.ts";

type Row = Pick<Plugin, "runtime" | "declaration" | "consent" | "granted">;

const asked = asksOf({ network: ["api.example.com"], files: "none", subprocess: false });
/** A plugin that was installed while walls stood, or while none did. */
const installed = (enforced: boolean, more: Partial<Row> = {}): Row => ({
  runtime: "native",
  declaration: { details: {} } as Plugin["declaration"],
  consent: { ...asked, enforced },
  ...more,
});
const words = (...given: Parameters<typeof pluginLines>) =>
  pluginLines(...given).map(
    ({ text, names }) => text.replace("permission.", "") + (names ? `: ${names}` : ""),
  );

const claims = ["claims.networkHosts: api.example.com", "claims.filesNone", "claims.subprocessNone"];
const facts = ["holds.networkGranted: api.example.com", "holds.filesNone", "holds.subprocessNone"];

test("what holds now counts, not what held at the installation", () => {
  for (const enforced of [true, false]) {
    expect(words(installed(enforced), undefined, false)).toEqual(claims);
    expect(words(installed(enforced), undefined, true)).toEqual(facts);
  }
});

test("behind walls the page says what was granted, not what was asked for", () => {
  const { files, programs } = grantsOf(asked);
  const grants = (change: Partial<Grants>): Grants => ({
    network: { reach: "none", hosts: [], refused: [] },
    files,
    programs,
    ...change,
  });
  const held = (change: Partial<Grants>) => words(installed(true), grants(change), true);
  expect(held({ files: { workspace: "read", folders: [] } })).toEqual([
    "holds.networkNone",
    "holds.filesRead",
    "holds.subprocessNone",
  ]);
  expect(
    held({
      network: { reach: "hosts", hosts: [], refused: [] },
      files: { workspace: "write", folders: [{ path: "/data", access: "read" }] },
      programs: { reach: "named", names: ["git"] },
    }),
  ).toEqual(["holds.networkUnsaid", "holds.filesMore: /data", "holds.programsNamed: git"]);
  const hosts = { type: "array", items: { type: "string" }, "x-patchbay": { hosts: true } };
  const choosing = installed(true);
  choosing.declaration.configSchema = { type: "object", properties: { hosts } };
  const network = { reach: "hosts" as const, hosts: [], refused: [] };
  expect(words(choosing, grants({ network }), true)).toContain("holds.networkAsked");
  expect(held({ files: { workspace: "none", folders: [{ path: "/", access: "write" }] } })).toContain(
    "holds.filesAll",
  );
  const unticked = installed(true, { granted: grants({}) });
  expect(words(unticked, undefined, true)).toContain("holds.networkNone");
});

test("WebAssembly is held by its own system, walls or none", () => {
  const wasm = installed(false, {
    runtime: "fledge",
    declaration: { details: { runtime: "wasm" } } as Plugin["declaration"],
  });
  for (const walled of [true, false]) expect(words(wasm, undefined, walled)).toContain("holds.filesNone");
});

test("named programs are any program where the walls do not limit which are started", () => {
  const granted: Grants = { ...grantsOf(asked), programs: { reach: "named", names: ["git"] } };
  expect(words(installed(true), granted, true, true)).toContain("holds.programsNamed: git");
  expect(words(installed(true), granted, true, false)).toContain("holds.subprocess");
  expect(words(installed(true), grantsOf(asked), true, false)).toContain("holds.subprocessNone");
  const fledge = installed(true, { runtime: "fledge" });
  expect(words(fledge, grantsOf(asked), true, false)).toContain("claims.subprocessNone");
});

test("a sandbox of its own says what it reads, what it keeps, and what the person took away", () => {
  const consent = {
    ...asked,
    enforced: true,
    files: "read" as const,
    grants: ["files of its own folder"],
    keepsMb: 256,
  };
  const details = (exec: boolean) =>
    ({ details: { runtime: "wasm", grants: { exec } } }) as unknown as Plugin["declaration"];
  const wasm = installed(true, { runtime: "fledge", declaration: details(false), consent });
  expect(words(wasm, undefined, false)).toContain("holds.filesRead");
  expect(pluginLines(wasm, undefined, true).at(-1)).toMatchObject({ grants: consent.grants, keepsMb: 256 });
  const taken = { ...grantsOf(consent), files: { workspace: "none" as const, folders: [] } };
  expect(words(wasm, taken, true)).toContain("holds.filesNone");
  // The commands that it asks for are held by walls alone.
  const runs = installed(true, { runtime: "fledge", declaration: details(true), consent });
  expect(words(runs, undefined, false)).toContain("claims.filesRead");
  expect(words(runs, grantsOf(consent), true)).toContain("holds.filesRead");
});
