import type { ServerCommand } from "../../../../contract/programs/programs.ts";

/** Programs whose settings are shown ready to be copied; `other`: the shape that most of them read. */
export const programKinds = ["claude-desktop", "cursor", "vs-code", "other"] as const;
export type ProgramKind = (typeof programKinds)[number];

/** What a program's settings say of an agent's tools, as JSON. */
export function startSnippet(kind: ProgramKind, agentId: string, { command, args }: ServerCommand): string {
  const name = nameOf(agentId);
  return kind === "vs-code"
    ? json({ servers: { [name]: { type: "stdio", command, args } } })
    : json({ mcpServers: { [name]: { command, args } } });
}

/** The same for a program that connects over HTTP. It holds the token. */
export function connectSnippet(agentId: string, url: string, token: string): string {
  const headers = { Authorization: `Bearer ${token}` };
  return json({ mcpServers: { [nameOf(agentId)]: { type: "http", url, headers } } });
}

function nameOf(agentId: string): string {
  return `patchbay-${agentId}`;
}

/** Indented, with each list on one line. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\[\n[^\]]*\]/g, (list) =>
    list.replace(/\n\s*/g, " ").replace("[ ", "[").replace(/ \]$/, "]"),
  );
}
