import { panic, type Value } from "@patchbay/janet";
import type { Binder } from "./api.ts";

/** Functions that ask a language server. None runs yet, so every one answers nil; wrong positions raise all the same. */
export function bindLsp(api: Binder): void {
  api.bind("(harness/lsp?)", "Whether a language server answers.", () => false);
  api.bind("(harness/lsp op file &opt line char query)", "Asks a language server; JSON text.", (args) =>
    nothingAt(args, 2),
  );
  for (const name of [
    "definition",
    "references",
    "hover",
    "implementation",
    "incoming-calls",
    "outgoing-calls",
  ])
    api.bind(`(harness/lsp-${name} file line char)`, "Asks a language server; JSON text.", (args) =>
      nothingAt(args, 1),
    );
  for (const usage of [
    "(harness/lsp-document-symbols file)",
    "(harness/lsp-workspace-symbols file query)",
    "(harness/lsp-diagnostics file)",
  ])
    api.bind(usage, "Asks a language server; JSON text.", () => null);
}

/** Lines and columns are counted from 1. */
function nothingAt(args: readonly Value[], from: number): Value {
  for (const at of [from, from + 1]) {
    const value = args[at] ?? null;
    if (value !== null && !(typeof value === "number" && value >= 1))
      panic("a line and a column are numbers from 1 on");
  }
  return null;
}
