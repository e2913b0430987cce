/** What can be asked of the code, by the names of the protocol and by the shorter ones that plugins use. */
const methods = {
  definition: "textDocument/definition",
  goToDefinition: "textDocument/definition",
  references: "textDocument/references",
  findReferences: "textDocument/references",
  implementation: "textDocument/implementation",
  goToImplementation: "textDocument/implementation",
  hover: "textDocument/hover",
  documentSymbol: "textDocument/documentSymbol",
  workspaceSymbol: "workspace/symbol",
  incomingCalls: "callHierarchy/incomingCalls",
  outgoingCalls: "callHierarchy/outgoingCalls",
  diagnostics: null,
} as const;

export type CodeOperation = keyof typeof methods;

export function isOperation(name: string): name is CodeOperation {
  return Object.hasOwn(methods, name);
}

/** A question about the code. Lines and characters count from 1. */
export interface CodeQuestion {
  operation: CodeOperation;
  /** Relative to the workspace, or absolute. */
  file: string;
  line?: number;
  character?: number;
  query?: string;
}

/** Whether a question is about a place in a file. */
export function needsPlace(operation: CodeOperation): boolean {
  return !["documentSymbol", "workspaceSymbol", "diagnostics"].includes(operation);
}

interface Asks {
  request(method: string, parameters: unknown): Promise<unknown>;
  /** What the server has published of a file so far; empty: nothing. */
  diagnostics(uri: string): readonly unknown[];
}

/** Asks a server. @returns its answer in the protocol's own form, places counted from 0; null: it knows nothing */
export async function answerOf(question: CodeQuestion, uri: string, server: Asks): Promise<unknown> {
  const { operation, line = 1, character = 1, query = "" } = question;
  const textDocument = { uri };
  const position = { line: line - 1, character: character - 1 };
  const method = methods[operation];
  switch (operation) {
    case "diagnostics":
      return server.diagnostics(uri);
    case "documentSymbol":
      return server.request("textDocument/documentSymbol", { textDocument });
    case "workspaceSymbol":
      return server.request("workspace/symbol", { query });
    case "references":
    case "findReferences": {
      const context = { includeDeclaration: true };
      return server.request("textDocument/references", { textDocument, position, context });
    }
    case "incomingCalls":
    case "outgoingCalls": {
      const items = await server.request("textDocument/prepareCallHierarchy", { textDocument, position });
      const item = Array.isArray(items) ? items[0] : null;
      return item ? server.request(method ?? "", { item }) : null;
    }
    default:
      return server.request(method ?? "", { textDocument, position });
  }
}
