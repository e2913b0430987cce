/** What makes the walls: bubblewrap by itself (Linux), or `@anthropic-ai/sandbox-runtime` (other systems). */
export type Backend = "bubblewrap" | "sandbox-runtime";

let chosen: Backend = process.platform === "linux" ? "bubblewrap" : "sandbox-runtime";

export function backend(): Backend {
  return chosen;
}

/** For tests alone, which run the walls of other systems on Linux. Nothing in Patchbay calls it, and no setting leads here. */
export function chooseBackend(wanted: Backend): void {
  chosen = wanted;
}
