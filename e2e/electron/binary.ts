import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "..", "node_modules", "electron");

/** Electron's program, if it is here and has a display to draw on. Never fetches it. */
export function electronProgram(): string | undefined {
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return undefined;
  try {
    const program = join(folder, "dist", readFileSync(join(folder, "path.txt"), "utf8"));
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
