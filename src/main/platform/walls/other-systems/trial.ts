import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { insideCommand, shell, waitingShell } from "./inside-command.ts";

/** How long it may take, in milliseconds. */
const LIMIT_MS = 20_000;

const script = `
cat "$OPEN/word" && echo
echo new > "$OPEN/new" && echo "wrote $OPEN"
cat "$CLOSED/word" && echo
echo new > "$CLOSED/new"
kill -0 "$CORE" && echo signalled
(exec 3<> "/dev/tcp/127.0.0.1/$PORT") && echo connected
true`;

export interface TrialPlace {
  /** A folder that the trial may use. */
  open: string;
  /** The command line inside. */
  line: string;
}

/**
 * Tries a wall on this machine: what it has to let through, and what it has to stop. Walls differ by system and version, and
 * nobody has tried all of them.
 *
 * @param wrap makes the command that runs the line behind the wall
 * @returns what does not hold, as a sentence; null when all of it does
 */
export async function tryWall(wrap: (place: TrialPlace) => Promise<string>): Promise<string | null> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-trial-")));
  const [open, closed] = [join(folder, "open"), join(folder, "closed")] as const;
  for (const each of [open, closed]) mkdirSync(each);
  writeFileSync(join(open, "word"), "open-word");
  writeFileSync(join(closed, "word"), "closed-word");
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const env = {
      PATH: "/usr/bin:/bin",
      OPEN: open,
      CLOSED: closed,
      CORE: `${process.pid}`,
      PORT: `${port}`,
    };
    const inside = insideCommand({ file: shell, args: ["-c", script], env });
    const said = await run(await wrap({ open, line: inside.line(0) }), inside.env);
    if (!said.includes("open-word") || !existsSync(join(open, "new")))
      return `A program behind the wall does not run as it should${said === "" ? "" : ` (${said.slice(0, 300)})`}.`;
    if (said.includes("closed-word")) return "A program behind the wall can read what is closed to it.";
    if (existsSync(join(closed, "new"))) return "A program behind the wall can write where it may not.";
    if (said.includes("signalled")) return "A program behind the wall can signal Patchbay.";
    if (said.includes("connected") || connections > 0)
      return "A program behind the wall can reach this computer past Patchbay.";
    return null;
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(command: string, env: Record<string, string>): Promise<string> {
  const waiting = waitingShell(3);
  const child = spawn(waiting.file, waiting.args, {
    cwd: "/",
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  let said = "";
  const take = (chunk: Buffer) => {
    if (said.length < 4_096) said += chunk.toString();
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  const order = child.stdio[3] as Duplex;
  order.on("error", () => {});
  order.resume();
  order.end(command);
  await once(child, "close");
  return said.trim();
}
