import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type GatewayFile, gatewayFileSchema } from "../../../contract/index.ts";

/**
 * Writes how to reach this process, for the command line and for a second start of the app. Only the owner can read the
 * file.
 */
export function writeGatewayFile(home: string, gateway: GatewayFile): void {
  const path = gatewayPath(home);
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(gateway, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

/** How to reach the running app. Undefined when none runs: there is no readable file, or its process has ended. */
export function readGatewayFile(home: string): GatewayFile | undefined {
  let gateway: GatewayFile;
  try {
    gateway = gatewayFileSchema.parse(JSON.parse(readFileSync(gatewayPath(home), "utf8")));
  } catch {
    return undefined;
  }
  return isAlive(gateway.pid) ? gateway : undefined;
}

/** Removes the file if this process wrote it. */
export function removeGatewayFile(home: string): void {
  const path = gatewayPath(home);
  try {
    const { pid } = gatewayFileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    if (pid === process.pid) rmSync(path, { force: true });
  } catch {
    // The file is gone already or cannot be read, so it is not ours to remove.
  }
}

function gatewayPath(home: string): string {
  return join(home, "gateway.json");
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
