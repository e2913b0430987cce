import { panic, toBytes, type Value } from "@patchbay/janet";
import type { Binder, CodeQuestion, World } from "./api.ts";
import { textAt, wordAt } from "./values.ts";

/** The functions for one operation each at a place in a file. */
const atPlace: Readonly<Record<string, string>> = {
  definition: "definition",
  references: "references",
  hover: "hover",
  implementation: "implementation",
  "incoming-calls": "incomingCalls",
  "outgoing-calls": "outgoingCalls",
};

/**
 * Functions that ask the language server of a file. Each answers with JSON text, `{"error": …}` when what was asked is none, and nil where
 * no server answers. Lines and columns count from 1.
 */
export function bindLsp(api: Binder): void {
  api.bindWaiting("(harness/lsp?)", "Whether any language server answers.", async (_args, { code }) =>
    code.has(),
  );
  api.bindWaiting(
    "(harness/lsp op file &opt line char query)",
    "Asks a language server; JSON text.",
    async (args, world) => {
      const operation = wordAt(args, 0);
      const query = textAt(args, 4);
      if (operation === undefined) return null;
      return ask(world, {
        operation,
        file: textAt(args, 1) ?? "",
        ...placeAt(args, 2),
        ...(query && { query }),
      });
    },
  );
  for (const [name, operation] of Object.entries(atPlace))
    api.bindWaiting(
      `(harness/lsp-${name} file line char)`,
      "Asks a language server; JSON text.",
      async (args, world) => ask(world, { operation, file: textAt(args, 0) ?? "", ...placeAt(args, 1) }),
    );
  for (const [name, operation] of [
    ["document-symbols", "documentSymbol"],
    ["diagnostics", "diagnostics"],
  ] as const)
    api.bindWaiting(`(harness/lsp-${name} file)`, "Asks a language server; JSON text.", async (args, world) =>
      ask(world, { operation, file: textAt(args, 0) ?? "" }),
    );
  api.bindWaiting(
    "(harness/lsp-workspace-symbols file query)",
    "Asks a language server; JSON text.",
    async (args, world) =>
      ask(world, { operation: "workspaceSymbol", file: textAt(args, 0) ?? "", query: textAt(args, 1) ?? "" }),
  );
}

async function ask({ code }: World, question: CodeQuestion): Promise<Value> {
  if (!(await code.has())) return null;
  try {
    const answer = await code.ask(question);
    return answer === null || answer === undefined ? null : toBytes(JSON.stringify(answer));
  } catch (error) {
    return toBytes(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
  }
}

function placeAt(args: readonly Value[], from: number): { line?: number; character?: number } {
  const [line, character] = [from, from + 1].map((at) => {
    const value = args[at] ?? null;
    if (value !== null && !(typeof value === "number" && Number.isInteger(value) && value >= 1))
      panic("a line and a column are whole numbers from 1 on");
    return value ?? undefined;
  });
  return { ...(line !== undefined && { line }), ...(character !== undefined && { character }) };
}
