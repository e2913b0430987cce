import { homedir, tmpdir } from "node:os";
import { PatchbayError } from "../../../../contract/index.ts";
import type { Clock } from "../../../base/clock.ts";
import { WholeLines } from "../../../base/whole-lines.ts";
import { Program } from "../../../platform/program.ts";
import type { Wall } from "../../../platform/walls/wall.ts";
import { insideWorkspace } from "../../../platform/workspace.ts";
import { type BuiltinTool, builtinInfo, textOutput } from "./builtin.ts";
import { hintOf, shellWall, withoutProxy } from "./shell-wall.ts";

/** Bytes of output that are kept: the first and the last half. */
const OUTPUT_LIMIT = 128 * 1024;

export const shellTool: BuiltinTool = {
  info: builtinInfo(
    "shell",
    "Runs a command with the system's shell in the workspace folder and answers with its output and exit code.",
    false,
    {
      command: { type: "string", minLength: 1 },
      timeoutMs: { type: "integer", minimum: 100, maximum: 600_000, description: "Milliseconds." },
    },
    ["command"],
  ),
  dangerous: true,
  async execute(input, { signal, clock, onUpdate, network, refused, ...place }) {
    const { top: cwd } = await insideWorkspace(place, ".");
    const limitMs = typeof input.timeoutMs === "number" ? input.timeoutMs : undefined;
    const said: string[] = [];
    const wall = shellWall({ ...place, workspace: cwd }, network, (attempt) => {
      said.push(`[Patchbay refused (${attempt.wall}): ${attempt.target}]`);
      refused(attempt);
    });
    const ran = await runCommand(String(input.command), cwd, { signal, clock, onUpdate, limitMs, wall });
    const hint = ran.code === 0 ? null : hintOf(String(input.command));
    if (hint !== null) said.push(hint);
    const run = said.length === 0 ? ran : { ...ran, output: [ran.output, ...said].join("\n").trim() };
    if (run.ended === "aborted") throw new PatchbayError("ABORTED", "The command was stopped.");
    if (run.ended === "timed_out") {
      throw new PatchbayError("TOOL_TIMEOUT", `The command did not end within ${limitMs} ms.`, {
        details: { output: run.output },
      });
    }
    const status = run.signal ? `ended by ${run.signal}` : `exit code ${run.code}`;
    if (run.code !== 0) {
      throw new PatchbayError("TOOL_FAILED", `The command failed, ${status}.\n${run.output}`.trimEnd(), {
        details: { exitCode: run.code, signal: run.signal },
      });
    }
    return textOutput(run.output || "[no output]", { exitCode: run.code });
  },
};

interface CommandRun {
  ended: "exit" | "aborted" | "timed_out";
  code: number | null;
  signal: string | null;
  output: string;
}

async function runCommand(
  command: string,
  cwd: string,
  under: {
    signal: AbortSignal;
    clock: Clock;
    limitMs: number | undefined;
    wall: Wall;
    onUpdate(text: string): void;
  },
): Promise<CommandRun> {
  const { signal, clock, limitMs, onUpdate, wall } = under;
  if (signal.aborted) return { ended: "aborted", code: null, signal: null, output: "" };
  const child = new Program({ ...shellCommand(command), cwd, env: commandEnvironment(), input: false, wall });
  const output = new CappedOutput(OUTPUT_LIMIT);
  let ended: CommandRun["ended"] = "exit";
  const end = (why: "aborted" | "timed_out") => () => {
    ended = why;
    child.signal("SIGKILL");
  };
  const onAbort = end("aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  const cancel = limitMs === undefined ? undefined : clock.after(limitMs, end("timed_out"));
  for (const stream of [child.stdout, child.stderr]) {
    const lines = new WholeLines(onUpdate);
    stream.on("data", (chunk: Buffer) => {
      output.add(chunk);
      lines.add(chunk);
    });
    stream.on("end", () => lines.end());
  }
  try {
    const exit = await child.ended;
    return { ended, code: exit.code, signal: exit.signal, output: output.text() };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PatchbayError("TOOL_FAILED", `The shell could not be started: ${why}.`);
  } finally {
    cancel?.();
    signal.removeEventListener("abort", onAbort);
  }
}

function shellCommand(command: string): { file: string; args: string[]; batch?: true } {
  if (process.platform !== "win32") return { file: "/bin/sh", args: ["-c", command] };
  // The same quoting as Node's own `exec`: cmd.exe takes off the outer quotes and reads the rest as the command line.
  const file = process.env.ComSpec ?? "cmd.exe";
  return { file, args: ["/d", "/s", "/c", `"${command}"`], batch: true };
}

/** The environment of commands: the variables that are needed to find programs, and none that may hold a secret. */
function commandEnvironment(): Record<string, string> {
  const kept = ["PATH", "Path", "LANG", "LC_ALL", "TZ", "SHELL", "USER", "SystemRoot", "ComSpec", "PATHEXT"];
  const env: Record<string, string> = {
    HOME: homedir(),
    TMPDIR: tmpdir(),
    TERM: "dumb",
    NO_PROXY: withoutProxy,
  };
  for (const name of kept) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Keeps the beginning and the end of an output of any length. */
class CappedOutput {
  private head = Buffer.alloc(0);
  private tail = Buffer.alloc(0);
  private dropped = 0;
  private readonly half: number;

  constructor(limit: number) {
    this.half = limit / 2;
  }

  add(chunk: Buffer): void {
    const room = this.half - this.head.length;
    if (room > 0) this.head = Buffer.concat([this.head, chunk.subarray(0, room)]);
    const rest = Buffer.concat([this.tail, chunk.subarray(Math.max(0, room))]);
    this.dropped += Math.max(0, rest.length - this.half);
    this.tail = rest.subarray(Math.max(0, rest.length - this.half));
  }

  text(): string {
    const gap = this.dropped > 0 ? `\n[${this.dropped} bytes left out]\n` : "";
    return this.head.toString("utf8") + gap + this.tail.toString("utf8");
  }
}
