import type { RuntimeId } from "../../../contract/plugin.ts";

const cableColours: Record<RuntimeId, string | undefined> = {
  native: "var(--native)",
  fledge: "var(--fledge)",
  flowly: "var(--flowly)",
  dirge: "var(--dirge)",
  mcp: "var(--mcp)",
};

/** The colour of a plugin system; those that have none of their own share one. */
export function runtimeColour(runtime: RuntimeId): string {
  return cableColours[runtime] ?? "var(--mute)";
}
