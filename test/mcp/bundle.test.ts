import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Zippable, zipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describePlugin } from "../../src/cli/plugin-words.ts";
import { describeConsent } from "../../src/cli/terminal/consent-words.ts";
import type { Consent } from "../../src/contract/index.ts";
import { pngOf } from "../png/png.ts";
import { McpApp } from "./mcp-app.ts";
import { codeOf } from "./server-folder.ts";

let app: McpApp;
beforeAll(async () => {
  app = await McpApp.open();
});
afterAll(() => app?.close());

const manifest = {
  manifest_version: "0.3",
  name: "parcels",
  display_name: "Parcels",
  version: "1.2.0",
  description: "Says where parcels are.",
  author: { name: "Acme" },
  server: {
    type: "node",
    entry_point: "server/index.mjs",
    mcp_config: {
      command: "node",
      args: ["${__dirname}/server/index.mjs"],
      env: { LOUD: "${user_config.loud}" },
    },
  },
  user_config: { loud: { type: "string", title: "Loud", sensitive: true, required: true } },
  tools: [{ name: "echo", description: "Says it" }],
};

async function bundle(name: string, files: Zippable, after = Buffer.alloc(0)): Promise<string> {
  const file = join(app.root, name);
  await writeFile(file, Buffer.concat([zipSync(files), after]));
  return file;
}
const text = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const withServer = async (more: Partial<typeof manifest & { icon: string }> = {}) => ({
  "manifest.json": text({ ...manifest, ...more }),
  server: { "index.mjs": text(await codeOf("legacy")) },
});

test("a bundle is described from its manifest, asks for its settings, and runs", async () => {
  expect(await app.install(await bundle("parcels.mcpb", await withServer()))).toMatchObject({
    status: "done",
  });
  expect(await app.client.plugins.get({ key: "parcels" })).toMatchObject({
    runtime: "mcp",
    displayName: "Parcels",
    packageVersion: "1.2.0",
    capabilities: { tools: { names: ["echo"] } },
    declaration: { publisher: "Acme", secretKeys: [{ key: "LOUD", label: "Loud" }] },
    consent: { starts: { way: "program", command: "node server/index.mjs", given: ["LOUD"], risks: [] } },
  });
  expect((await app.switchOn("parcels")).instance).toMatchObject({ state: "needs_setup" });
  expect((await app.switchOn("parcels", { loud: "so loud that nobody sleeps" })).instance).toMatchObject({
    state: "running",
  });
  expect(await app.call("parcels__echo", { text: "hello" })).toMatchObject({ text: "hello!" });
});

test("a signature behind the archive is cut off, and is said not to be checked", async () => {
  const signature = Buffer.concat([
    Buffer.from("MCPB_SIG_V1"),
    Buffer.from([4, 0, 0, 0]),
    Buffer.from("DER!"),
    Buffer.from("MCPB_SIG_END"),
  ]);
  const signed = await bundle(
    "signed.mcpb",
    await withServer({ name: "signed", display_name: "Signed" }),
    signature,
  );
  const job = await app.install(signed);
  expect(job).toMatchObject({ status: "done", consent: { source: { signatureUnchecked: true } } });
  expect(describeConsent(job.consent as Consent)).toMatch(
    /^ {2}Signature: not checked: the bundle is signed/m,
  );
  const plugin = await app.client.plugins.get({ key: "signed" });
  expect(plugin.source.signatureUnchecked).toBe(true);
  expect(describePlugin(plugin)).toMatch(/^Signature +not checked/m);
  const unsigned = await app.client.plugins.get({ key: "parcels" });
  expect(unsigned.source.signatureUnchecked).toBeUndefined();
});

const png = pngOf([20, 120, 90]);
test.each<[string, string, Uint8Array, string | undefined]>([
  ["a picture", "icon.png", png, `data:image/png;base64,${png.toString("base64")}`],
  ["a drawing that calls itself a picture", "icon.png", text("<svg onload='x()'/>"), undefined],
  ["a drawing", "icon.svg", text("<svg/>"), undefined],
  ["one that is too large", "icon.png", Buffer.concat([png, Buffer.alloc(64 * 1024)]), undefined],
  ["one that unpacks to 60,000 pixels", "icon.png", pngOf([0, 0, 0], 8, 60_000), undefined],
  ["one outside of the bundle", "../icon.png", png, undefined],
])(
  "the icon of a bundle is shown only if it is a small picture inside of it: %s",
  async (name, icon, bytes, shown) => {
    const title = `Icon of ${name.split(" ").join("")}`;
    const files = await withServer({ name: "icons", display_name: title, icon });
    const file = await bundle(`${title}.mcpb`, icon.startsWith("..") ? files : { ...files, [icon]: bytes });
    const job = await app.install(file);
    expect(job).toMatchObject({ status: "done" });
    const installed = (await app.client.plugins.list()).find(({ displayName }) => displayName === title);
    expect(installed).toBeDefined();
    expect(installed?.declaration.icon).toBe(shown);
  },
);

test("what a bundle says of itself is shown as far as it holds: pages of https, pictures inside of it", async () => {
  const files = await withServer({
    name: "told",
    display_name: "Told",
    icon: "missing.png",
    icons: [{ src: "https://acme.example/icon.png" }, { src: "small.png", size: "64x64" }],
    long_description: "# Told\n\nIt \u202etells\u202c ![you](https://spy.example/pixel.png).",
    homepage: "http://acme.example",
    documentation: "https://docs.acme.example/told",
    support: "javascript:alert(1)",
    repository: { type: "git", url: "git+https://code.acme.example/told" },
    privacy_policies: [
      "https://acme.example/privacy",
      "https://acme.example@evil.example/",
      "file:///etc/passwd",
    ],
    screenshots: [
      "one.png",
      "../two.png",
      "three.svg",
      "huge.png",
      "https://acme.example/four.png",
      "bomb.png",
    ],
    license: "MIT",
  } as object);
  const file = await bundle("told.mcpb", {
    ...files,
    "small.png": png,
    "one.png": png,
    "three.svg": text("<svg onload='x()'/>"),
    "huge.png": Buffer.concat([png, Buffer.alloc(1024 * 1024)]),
    "bomb.png": pngOf([0, 0, 0], 8, 60_000),
  });
  const job = await app.install(file);
  const said = {
    longDescription: expect.stringMatching(/^# Told\n\nIt \ufffdtells\ufffd !\[you\]/),
    documentation: "https://docs.acme.example/told",
    repository: "https://code.acme.example/told",
    privacyPolicies: ["https://acme.example/privacy"],
  };
  expect(job).toMatchObject({ status: "done", problem: null });
  expect(job.consent?.about).toEqual(said);
  expect(job.consent?.homepage).toBeUndefined();
  expect(describeConsent(job.consent as Consent)).toContain(
    "  Privacy policy: https://acme.example/privacy\n",
  );
  const { declaration } = await app.client.plugins.get({ key: "told" });
  expect(declaration).toMatchObject({ icon: expect.stringMatching(/^data:image\/png/), license: "MIT" });
  expect(declaration.about).toEqual({ ...said, screenshots: ["one.png"] });
  const shown = app.client.plugins.screenshot({ key: "told", number: 0 });
  expect(await shown).toEqual({ picture: `data:image/png;base64,${png.toString("base64")}` });
  await expect(app.client.plugins.screenshot({ key: "told", number: 1 })).rejects.toThrow("no such picture");
});

const german = {
  display_name: "Pakete von Patchbay",
  description: "Sagt, wo Pakete sind.",
  long_description: "Viel zu sagen.",
  user_config: { loud: { title: "Laut", description: "Besuchen Sie evil.example" } },
};
const inGerman = {
  [manifest.description]: german.description,
  "Much to say.": german.long_description,
  Loud: "Laut",
};
test.each<[string, object, Zippable, object, string]>([
  ["in its own place", {}, { "mcpb-resources": { "de.json": text(german) } }, inGerman, manifest.description],
  [
    "in another place",
    { resources: "texts/${locale}/all.json", default_locale: "en-GB" },
    { texts: { "de-DE": { "all.json": text(german) } } },
    inGerman,
    manifest.description,
  ],
  [
    "from outside of it",
    { resources: "../../${locale}.json" },
    { "mcpb-resources": { "de.json": text(german) } },
    {},
    manifest.description,
  ],
  ["of a wrong form", {}, { "mcpb-resources": { "de.json": text("[1") } }, {}, manifest.description],
  [
    "the other way round",
    { default_locale: "de-DE" },
    { "mcpb-resources": { "en-US.json": text({ description: "Says it in English." }) } },
    { "Says it in English.": manifest.description },
    "Says it in English.",
  ],
])("the texts of a bundle in German: %s", async (name, localization, more, words, description) => {
  const key = `words-${name.replaceAll(" ", "-")}`;
  const about = { name: key, display_name: key, long_description: "Much to say.", localization };
  const user_config = { loud: { type: "string", title: "Loud", description: "Louder." } };
  const files = await withServer({ ...about, user_config } as object);
  expect(await app.install(await bundle(`${key}.mcpb`, { ...files, ...more }))).toMatchObject({
    problem: null,
  });
  const plugin = await app.client.plugins.get({ key });
  expect(plugin).toMatchObject({ displayName: key, description });
  expect(plugin.declaration.words?.de ?? {}).toEqual(words);
});

test.each<[string, Zippable, string, RegExp]>([
  ["a path that leads out", { "../evil.js": text("1") }, "UNSAFE_PACKAGE", /leads out of its folder/],
  ["an absolute path", { "/etc/evil": text("1") }, "UNSAFE_PACKAGE", /leads out of its folder/],
  [
    "a path of Windows",
    { "..\\evil.js": text("1") },
    "UNSAFE_PACKAGE",
    /leads out of its folder|no usable name/,
  ],
  [
    "a link",
    { link: [text("/etc/passwd"), { os: 3, attrs: (0o120777 << 16) >>> 0 }] },
    "UNSAFE_PACKAGE",
    /is a link/,
  ],
])("a bundle with %s is refused", async (name, files, code, says) => {
  const file = await bundle(`${name.replaceAll(" ", "-")}.mcpb`, {
    ...files,
    "manifest.json": text(manifest),
  });
  expect(await app.install(file)).toMatchObject({
    status: "failed",
    problem: { code, message: expect.stringMatching(says) },
  });
});

test("a bomb is refused before it is on the disk", async () => {
  const zeros = Buffer.alloc(64 * 1024 * 1024);
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`zeros${index}`, zeros]));
  expect(await app.install(await bundle("bomb.mcpb", files))).toMatchObject({
    status: "failed",
    problem: { code: "UNSAFE_PACKAGE", message: "The package is unreasonably large." },
  });
});

test.each([
  [{ manifest_version: "1.0" }, /`manifest_version` must be 0\.1 to 0\.4/],
  [{ server: undefined }, /MCP server|no plugin/],
  [{ author: undefined }, /`author` is missing/],
])("a manifest that cannot be read says the field: %j", async (more, says) => {
  const files = { "manifest.json": text({ ...manifest, ...more }) };
  expect((await app.install(await bundle("faulty.mcpb", files))).problem?.message).toMatch(says);
});

test("a bundle that is cut short is damaged", async () => {
  const file = join(app.root, "short.mcpb");
  await writeFile(file, zipSync(await withServer()).subarray(0, 400));
  expect(await app.install(file)).toMatchObject({ status: "failed", problem: { code: "ARCHIVE_DAMAGED" } });
});

test.each([
  [{ platforms: ["aix"] }, "This bundle is for aix only."],
  [
    { platforms: ["darwin", "win32"].filter((name) => name !== process.platform) },
    /^This bundle is for .*(?:macOS|Windows).* only\.$/,
  ],
  [{ runtimes: { node: ">=99.1" } }, /^This bundle needs Node >= 99\.1; Patchbay runs it with \d+/],
])("a bundle for another machine is refused before it is installed: %j", async (compatibility, says) => {
  const file = await bundle(
    "elsewhere.mcpb",
    await withServer({ name: "elsewhere", compatibility } as object),
  );
  expect(await app.install(file)).toMatchObject({
    status: "failed",
    problem: { code: "PLATFORM_UNSUPPORTED", message: expect.stringMatching(says) },
  });
});

test("a bundle in Python says which one it needs, and which was found", async () => {
  const server = { type: "python", entry_point: "server.py" };
  const compatibility = { runtimes: { python: ">=99" } };
  const file = await bundle(
    "snake.mcpb",
    await withServer({ name: "snake", server, compatibility } as object),
  );
  expect((await app.install(file)).problem).toMatchObject({
    code: "PLATFORM_UNSUPPORTED",
    message: expect.stringMatching(/^This bundle needs Python >= 99; (?:found \d|none was found)/),
  });
});

test("settings of a bundle have their kinds, their limits, and defaults in the person's own folders", async () => {
  const user_config = {
    folders: { type: "directory", title: "Folders", multiple: true, default: ["${HOME}/Letters"] },
    most: { type: "number", title: "Most", min: 1, max: 50, default: 10 },
    odd: { type: "string", title: "Odd", default: "${NOBODY}/x" },
  };
  const file = await bundle(
    "kinds.mcpb",
    await withServer({ name: "kinds", display_name: "Kinds", user_config } as object),
  );
  expect(await app.install(file)).toMatchObject({ status: "done", problem: null });
  const { declaration } = await app.client.plugins.get({ key: "kinds" });
  expect(declaration.defaultConfig).toEqual({ folders: [join(homedir(), "Letters")], most: 10 });
  expect(declaration.configSchema).toMatchObject({
    properties: {
      folders: { type: "array", items: { type: "string" } },
      most: { type: "number", minimum: 1, maximum: 50 },
    },
  });
});
