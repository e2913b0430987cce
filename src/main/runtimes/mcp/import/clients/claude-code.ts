import { join } from "node:path";
import type { Fields } from "../text/fields.ts";
import { type ListedServer, listedIn } from "./listed.ts";
import { type ClientFile, type Elsewhere, usualFile } from "./place.ts";

/** Claude Code: the person's servers, those of each project in the same file, and the file of the project itself. */
export function claudeCode({ home, cwd }: Elsewhere): ClientFile[] {
  return [
    {
      client: "claude-code",
      file: join(home, ".claude.json"),
      format: "json",
      place: "user",
      read: listed,
    },
    usualFile("claude-code", join(cwd, ".mcp.json"), "project"),
  ];
}

function listed(fields: Fields): ListedServer[] {
  const projects = fields.at("projects");
  return [
    ...listedIn(fields.at("mcpServers")),
    ...projects.names.flatMap((path) => {
      const project = projects.at(path);
      const off = new Set(project.texts("disabledMcpServers", "disabledMcpjsonServers"));
      return listedIn(project.at("mcpServers")).map((one) =>
        off.has(one.name) ? { ...one, isOn: false } : one,
      );
    }),
  ];
}
