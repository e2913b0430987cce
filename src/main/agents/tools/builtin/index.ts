import type { BuiltinTool } from "./builtin.ts";
import { listFilesTool, readFileTool, writeFileTool } from "./files.ts";
import { sendFileTool } from "./send-file.ts";
import { shellTool } from "./shell.ts";

export type { BuiltinTool } from "./builtin.ts";

/** Patchbay's own tools by name. These names and everything that starts with `mcp__` are reserved. */
export const builtinTools: ReadonlyMap<string, BuiltinTool> = new Map(
  [readFileTool, listFilesTool, writeFileTool, shellTool, sendFileTool].map((tool) => [tool.info.name, tool]),
);
