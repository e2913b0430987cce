import { messageOf } from "./host-error.ts";
import type { HostPort } from "./port.ts";

const FLUSH_MS = 250;

/** Ends this process with everything that the plugin started, when the app is gone or plugin code throws where nobody catches. */
export function endWithApp(port: HostPort): void {
  let crashing = false;
  const crash = async (kind: string, error: unknown) => {
    if (crashing) return;
    crashing = true;
    await port.postLast({ t: "log", level: "error", text: crashText(kind, error).slice(0, 16_000) });
    await flushOutput();
    process.exit(1);
  };
  port.onClose(endProcessGroup);
  process.on("uncaughtException", (error) => void crash("Uncaught error", error));
  process.on("unhandledRejection", (reason) => void crash("Unhandled rejection", reason));
}

/** Waits until printed output has left this process, because it is killed right after; at most 250 ms. */
export function flushOutput(): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, FLUSH_MS);
    process.stdout.write("", () =>
      process.stderr.write("", () => {
        clearTimeout(limit);
        resolve();
      }),
    );
  });
}

/** The text of a crash, for the log. */
function crashText(kind: string, error: unknown): string {
  const stack = error instanceof Error ? error.stack : undefined;
  return `${kind}: ${stack ?? messageOf(error)}`;
}

/** Ends this process and everything the plugin started. Called when the app is gone, which none of them may outlive. */
function endProcessGroup(): void {
  if (process.platform !== "win32") {
    try {
      process.kill(-process.pid, "SIGKILL");
    } catch {
      // This process leads no process group (Electron starts it so): then only this process is ended.
    }
  }
  process.kill(process.pid, "SIGKILL");
}
