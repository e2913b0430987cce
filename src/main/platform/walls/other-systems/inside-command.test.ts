import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { test as each, expect } from "vitest";
import { failedExec, failing, insideCommand, waitingShell } from "./inside-command.ts";

const test = each.skipIf(process.platform === "win32");

/** Runs a command as the waiting shell gets it. */
async function run(
  command: string,
  env: Record<string, string> = {},
): Promise<{ code: number; said: string }> {
  const { file, args } = waitingShell(3);
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  const order = child.stdio[3] as Duplex;
  order.resume();
  order.end(command);
  const [code] = await once(child, "close");
  return { code, said };
}

const bash = (line: string) => `/bin/bash -c '${line.replaceAll("'", `'\\''`)}'`;

test("a program has the environment that it was given, and nothing else", async () => {
  const given = {
    PATH: "/usr/bin:/bin",
    QUOTES: `it's "$HOME" \`id\``,
    LD_DEBUG_OUTPUT: "/tmp/x",
    LINES_: "a\nb",
  };
  const { line, env } = insideCommand({
    file: "node",
    args: ["-e", "console.log(JSON.stringify(process.env))"],
    env: { ...given, PATH: process.env.PATH ?? "" },
  });
  const { said } = await run(bash(line(1)), { ...env, TMPDIR: "/tmp/claude", SANDBOX_RUNTIME: "1" });
  const { SHLVL, PWD, _, ...seen } = JSON.parse(said);
  expect(seen).toEqual({ ...given, PATH: process.env.PATH });
});

test("no value stands in the command line, nor reaches what makes the sandbox under its own name", () => {
  const env = { TOKEN: "hush", BASH_ENV: "/tmp/evil", "BASH_FUNC_ls%%": "() { id; }" };
  const inside = insideCommand({ file: "/bin/true", args: [], env });
  expect(inside.line(1)).not.toContain("hush");
  expect(Object.keys(inside.env)).toEqual(["PATH", "SHLVL", "WALLED_0", "WALLED_1"]);
});

test("variables with a port get it when the command is made", async () => {
  const { line, env } = insideCommand({
    file: "/usr/bin/printenv",
    args: ["HTTP_PROXY"],
    env: {},
    withPort: { HTTP_PROXY: "http://patchbay:secret@127.0.0.1:" },
  });
  expect((await run(bash(line(4_711)), env)).said).toBe("http://patchbay:secret@127.0.0.1:4711\n");
});

test("arguments arrive as they are", async () => {
  const args = ["%s|", "a b", "it's", "$HOME", "*", ""];
  const { line, env } = insideCommand({ file: "/usr/bin/printf", args, env: {} });
  expect((await run(bash(line(1)), env)).said).toBe("a b|it's|$HOME|*||");
});

test("a shell that gets no command runs nothing; one that fails says why", async () => {
  expect(await run("")).toEqual({ code: 1, said: "" });
  expect(await run(failing("It's not to be had."))).toEqual({ code: 1, said: "It's not to be had.\n" });
});

test("a program that is not there is told from one that ends with the same number", async () => {
  const { line, env } = insideCommand({ file: "/nowhere/tool", args: [], env: {} });
  const { code, said } = await run(bash(line(1)), env);
  expect(failedExec("/nowhere/tool", code, said)).toBe("ENOENT");
  expect(failedExec("/bin/tool", 127, "sh: 1: other: not found")).toBeNull();
  expect(failedExec("/bin/tool", 0, "/bin/bash: /bin/tool: odd")).toBeNull();
});
