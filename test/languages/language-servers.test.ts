import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LanguageServers } from "../../src/main/languages/language-servers.ts";
import type { CodeOperation } from "../../src/main/languages/questions.ts";
import { LoginPath } from "../../src/main/platform/login-path.ts";

/** A real typescript-language-server with a real tsserver, in a workspace of two files. */
let workspace: string;
let servers: LanguageServers;
const signal = new AbortController().signal;
const lib = `export function greet(name: string): string {
  return shout(name) + "!";
}

export function shout(text: string): string {
  return text.toUpperCase();
}
`;
const main = `import { greet } from "./lib";

export const hello = greet("world");
export const wrong: number = "not a number";
`;

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), "patchbay-code-"));
  await mkdir(join(workspace, "node_modules"));
  await symlink(resolve("node_modules/typescript-6"), join(workspace, "node_modules", "typescript"));
  await writeFile(join(workspace, "tsconfig.json"), JSON.stringify({ compilerOptions: { strict: true } }));
  await writeFile(join(workspace, "lib.ts"), lib);
  await writeFile(join(workspace, "main.ts"), main);
  const path = [resolve("node_modules/.bin"), process.env.PATH].join(delimiter);
  servers = new LanguageServers({
    configured: () => [],
    loginPath: new LoginPath({ PATH: path }),
    root: join(workspace, "..", "none"),
  });
});

afterAll(async () => {
  await servers.close();
  await rm(workspace, { recursive: true, force: true });
});

function ask(operation: CodeOperation, file: string, line?: number, character?: number, query?: string) {
  return servers.ask(workspace, { operation, file, line, character, query }, signal);
}

function uri(file: string): string {
  return pathToFileURL(join(workspace, file)).href;
}

test("definition, references, hover and implementation of a name, counted from 1", async () => {
  expect(await ask("definition", "main.ts", 3, 22)).toMatchObject([
    { uri: uri("lib.ts"), range: { start: { line: 0, character: 16 } } },
  ]);
  const references = (await ask("references", "lib.ts", 1, 17)) as { uri: string }[];
  expect(references.map((one) => one.uri).sort()).toEqual([uri("lib.ts"), uri("main.ts"), uri("main.ts")]);
  expect(JSON.stringify(await ask("hover", "lib.ts", 1, 17))).toContain(
    "function greet(name: string): string",
  );
  expect(await ask("goToImplementation", "main.ts", 3, 22)).toMatchObject([{ uri: uri("lib.ts") }]);
});

test("symbols of a file and of the workspace, and who calls whom", async () => {
  const symbols = (await ask("documentSymbol", "lib.ts")) as { name: string }[];
  expect(symbols.map(({ name }) => name)).toEqual(["greet", "shout"]);
  const found = (await ask("workspaceSymbol", "lib.ts", undefined, undefined, "shout")) as { name: string }[];
  expect(found.map(({ name }) => name)).toContain("shout");
  const incoming = (await ask("incomingCalls", "lib.ts", 5, 17)) as { from: { name: string } }[];
  expect(incoming.map(({ from }) => from.name)).toEqual(["greet"]);
  const outgoing = (await ask("outgoingCalls", "lib.ts", 1, 17)) as { to: { name: string } }[];
  expect(outgoing.map(({ to }) => to.name)).toContain("shout");
});

test("diagnostics are those that were published, and an edit on disk is seen", async () => {
  await expect
    .poll(async () => JSON.stringify(await ask("diagnostics", "main.ts")))
    .toContain("not assignable to type 'number'");
  await writeFile(join(workspace, "main.ts"), `\n${main}`);
  expect(await ask("definition", "main.ts", 4, 22)).toMatchObject([{ uri: uri("lib.ts") }]);
});

test("where no server runs the answer is null, and that can be asked beforehand", async () => {
  await writeFile(join(workspace, "notes.txt"), "nothing");
  expect(await ask("hover", "notes.txt", 1, 1)).toBeNull();
  expect(await servers.has(workspace, "notes.txt")).toBe(false);
  expect(await servers.has(workspace, "lib.ts")).toBe(true);
});

test.each([
  ["a line of 0", "hover", "lib.ts", 0, 1, /line .* at least 1/],
  ["half a character", "hover", "lib.ts", 1, 1.5, /character .* at least 1/],
  ["no place", "definition", "lib.ts", undefined, undefined, /line .* at least 1/],
  ["a file that is not there", "documentSymbol", "gone.ts", undefined, undefined, /no file gone\.ts/],
  [
    "a file outside",
    "documentSymbol",
    "/etc/passwd",
    undefined,
    undefined,
    /outside of the agent's workspace/,
  ],
] as const)("%s is refused with a sentence", async (_what, operation, file, line, character, why) => {
  await expect(ask(operation, file, line, character)).rejects.toThrow(why);
});

test("a link that leads out of the workspace is not followed", async () => {
  await symlink("/etc/passwd", join(workspace, "out.ts"));
  await expect(ask("documentSymbol", "out.ts")).rejects.toThrow(/outside/);
});

test("a server whose program ends at once has no answer, and nobody waits for it", async () => {
  const again = new LanguageServers({
    configured: () => [{ command: ["/bin/false"], files: [".ts"] }],
    loginPath: new LoginPath({ PATH: "" }),
    root: "/none",
  });
  expect(await again.ask(workspace, { operation: "documentSymbol", file: "lib.ts" }, signal)).toBeNull();
  await again.close();
});
