import { join } from "node:path";
import { sendConsoleLines } from "./console-lines.ts";
import { giveSdk } from "./given-sdk.ts";
import { crashText, flushOutput, PluginHost } from "./plugin-host.ts";
import { openPort } from "./port.ts";
import { reportDenials } from "./walls/denials.ts";
import { connectThroughDoor } from "./walls/network.ts";

/** Entry of the process that runs one plugin, or reads one manifest. Started by the app only. */
connectThroughDoor();
reportDenials();
giveSdk(join(import.meta.dirname, "sdk"));
const port = openPort();
const host = new PluginHost(port);
sendConsoleLines(port);

port.onClose(endProcessGroup);
process.on("uncaughtException", (error) => void crash("Uncaught error", error));
process.on("unhandledRejection", (reason) => void crash("Unhandled rejection", reason));
port.onMessage((message) => host.handle(message));

let crashing = false;

async function crash(kind: string, error: unknown): Promise<void> {
  if (crashing) return;
  crashing = true;
  await port.postLast({ t: "log", level: "error", text: crashText(kind, error).slice(0, 16_000) });
  await flushOutput();
  process.exit(1);
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
