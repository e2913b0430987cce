import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LanguageServers } from "../../src/main/languages/language-servers.ts";
import { LoginPath } from "../../src/main/platform/login-path.ts";

/** What a person is told of the language servers of a workspace, and what comes when they try one. */
let workspace: string;
let bin: string;
let own: { command: string[]; files: string[] }[];
let servers: LanguageServers;
const signal = new AbortController().signal;
const typescript = ["typescript-language-server", "--stdio"];

beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), "patchbay-listed-"));
  bin = await mkdtemp(join(tmpdir(), "patchbay-servers-"));
  own = [];
  const path = [resolve("node_modules/.bin"), bin].join(delimiter);
  servers = new LanguageServers({
    configured: () => own,
    loginPath: new LoginPath({ PATH: path }),
    root: "/none",
  });
});

afterEach(async () => {
  await servers.close();
  for (const folder of [workspace, bin]) await rm(folder, { recursive: true, force: true });
});

/** The command of a language server of the spec's own, which lies in the workspace: the only folder that it sees. */
async function tiny(before = ""): Promise<string[]> {
  const file = join(workspace, "server.cjs");
  await writeFile(file, before + tinyServer);
  return [process.execPath, file];
}

async function stateOf(name: string) {
  const found = (await servers.list(workspace)).find((server) => server.name === name);
  return found && { state: found.state, trouble: found.trouble };
}

test("the person's own come first; each says where its program lies and how a missing one is installed", async () => {
  own = [{ command: ["luals", "--log"], files: [".lua"] }];
  const [first, second, ...rest] = await servers.list(workspace);
  expect(first).toMatchObject({ name: "luals", own: true, files: [".lua"], path: null, state: "missing" });
  expect(second).toMatchObject({ name: "TypeScript", own: false, state: "ready", trouble: null });
  expect(second?.path).toBe(resolve("node_modules/.bin/typescript-language-server"));
  expect(rest.find(({ name }) => name === "gopls")?.install).toMatch(/^go install /);
  const luals = join(bin, "luals");
  await writeFile(luals, "");
  expect((await servers.list(workspace))[0]).toMatchObject({ path: luals, state: "ready" });
});

test("a trial asks about the nearest file that is not someone else's, and the server then runs", async () => {
  await mkdir(join(workspace, "node_modules", "aa"), { recursive: true });
  await writeFile(join(workspace, "node_modules", "aa", "index.ts"), "export const theirs = 1;\n");
  await symlink(resolve("node_modules/typescript-6"), join(workspace, "node_modules", "typescript"));
  expect(await servers.try(workspace, typescript, signal)).toEqual({ outcome: "noFile" });
  await mkdir(join(workspace, "src"));
  await writeFile(
    join(workspace, "src", "six.ts"),
    "export const a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;\n",
  );
  expect(await servers.try(workspace, typescript, signal)).toMatchObject({
    outcome: "answered",
    file: join("src", "six.ts"),
    count: 6,
    names: ["a", "b", "c", "d", "e"],
  });
  expect(await stateOf("TypeScript")).toEqual({ state: "running", trouble: null });
});

test("one whose program ends says so with its exit code and last words, until it starts", async () => {
  const marker = join(workspace, "licence");
  const command = await tiny(`
    if (!require("node:fs").existsSync(${JSON.stringify(marker)})) {
      console.error("no licence found");
      process.exit(3);
    }`);
  own = [{ command, files: [".moo"] }];
  await writeFile(join(workspace, "a.moo"), "moo\n");
  const trouble = { why: "ended", text: "exit code 3\nno licence found" };
  expect(await servers.ask(workspace, { operation: "documentSymbol", file: "a.moo" }, signal)).toBeNull();
  expect(await stateOf("node")).toEqual({ state: "failed", trouble });
  expect(await servers.try(workspace, command, signal)).toEqual({
    outcome: "failed",
    file: "a.moo",
    trouble,
  });
  await writeFile(marker, "");
  expect(await servers.try(workspace, command, signal)).toMatchObject({
    outcome: "answered",
    names: ["moo"],
  });
  expect(await stateOf("node")).toEqual({ state: "running", trouble: null });
});

test("one that crashes later is said as well, and the next question starts it again", async () => {
  const command = await tiny();
  own = [{ command, files: [".moo"] }];
  await writeFile(join(workspace, "a.moo"), "crash\n");
  expect(await servers.try(workspace, command, signal)).toMatchObject({
    outcome: "failed",
    trouble: { why: "ended", text: "exit code 7" },
  });
  await expect.poll(() => stateOf("node")).toMatchObject({ state: "failed", trouble: { why: "ended" } });
  await writeFile(join(workspace, "a.moo"), "moo\n");
  const asked = servers.ask(workspace, { operation: "documentSymbol", file: "a.moo" }, signal);
  expect(await asked).toMatchObject([{ name: "moo" }]);
});

test("one that answers with an error says it in its words", async () => {
  const command = await tiny();
  own = [{ command, files: [".moo"] }];
  await writeFile(join(workspace, "a.moo"), "refuse\n");
  expect(await servers.try(workspace, command, signal)).toMatchObject({
    outcome: "failed",
    trouble: { why: "refused", text: "I do not like this file." },
  });
});

test("a command that is none of them, or not on this computer, is not started", async () => {
  await expect(servers.try(workspace, ["/bin/sh"], signal)).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(servers.try(workspace, ["gopls"], signal)).rejects.toThrow(/not on this computer/);
});

/** A language server that knows one name in a file: its text. Two texts make it crash, or refuse. */
const tinyServer = `
let text = "", read = Buffer.alloc(0);
const say = (message) => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write("Content-Length: " + Buffer.byteLength(body) + "\\r\\n\\r\\n" + body);
};
const answer = ({ id, method, params }) => {
  if (method === "initialize") say({ id, result: { capabilities: {} } });
  if (method === "textDocument/didOpen") text = params.textDocument.text.trim();
  if (method === "textDocument/didChange") text = params.contentChanges[0].text.trim();
  if (method === "shutdown") say({ id, result: null });
  if (method === "exit") process.exit(0);
  if (method !== "textDocument/documentSymbol") return;
  if (text === "crash") process.exit(7);
  if (text === "refuse") say({ id, error: { code: -32803, message: "I do not like this file." } });
  else say({ id, result: [{ name: text, kind: 13 }] });
};
process.stdin.on("data", (data) => {
  read = Buffer.concat([read, data]);
  for (;;) {
    const head = read.indexOf("\\r\\n\\r\\n");
    const length = Number(/Content-Length: (\\d+)/.exec(read.subarray(0, Math.max(head, 0)).toString())?.[1]);
    if (head < 0 || read.length < head + 4 + length) return;
    const body = read.subarray(head + 4, head + 4 + length).toString();
    read = read.subarray(head + 4 + length);
    answer(JSON.parse(body));
  }
});
`;
