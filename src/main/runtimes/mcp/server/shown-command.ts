import { shownPart } from "./parts.ts";
import type { McpServer, Part } from "./server-file.ts";

/** The whole command line as a person reads it before agreeing, with ‹names› for what is filled in; never shortened. */
export function shownCommand(server: McpServer): string {
  switch (server.type) {
    case "remote":
      return shownPart(server.url);
    case "node":
      return ["node", server.entry, ...server.args.map(word)].join(" ");
    case "program":
      return [server.command, ...server.args.map(word)].join(" ");
  }
}

function word(part: Part): string {
  const text = shownPart(part);
  return text === "" || /[\s"'\\$`]/.test(text) ? JSON.stringify(text) : text;
}
