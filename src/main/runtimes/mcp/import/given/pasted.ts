import { codexServers } from "../clients/codex.ts";
import { geminiServers, gooseServers, opencodeServers } from "../clients/command-lines.ts";
import { continueServers, zedServers } from "../clients/editors.ts";
import { type ListedServer, listedIn, listedOf } from "../clients/listed.ts";
import { vscodeServers } from "../clients/vscode.ts";
import { Fields, isRecord } from "../text/fields.ts";
import { parseText } from "../text/parse-text.ts";
import { nameOf } from "./names.ts";

/** What a pasted text holds. */
export type Given = { kind: "servers"; servers: ListedServer[] } | { kind: "problem"; problem: string };

/** A piece of some program's settings: JSON or something close to it, TOML or YAML, of one server or several. */
export function pasted(text: string): Given {
  const plain = text.trim().replace(/^```\w*\s*\n|\n```$/g, "");
  if (/^\[mcp_servers/.test(plain)) {
    const toml = parseText(plain, "toml");
    return toml.kind === "value" ? found(codexServers(new Fields(toml.value))) : broken(toml.line);
  }
  if (/^[A-Za-z_]+\s*:\s*(?:\n|$)/.test(plain)) {
    const yaml = parseText(plain, "yaml");
    return yaml.kind === "value" ? anyForm(new Fields(yaml.value)) : broken(yaml.line);
  }
  return pastedJson(plain);
}

/** JSON with comments, with a comma too many, or without the outermost brackets. */
export function pastedJson(text: string): Given {
  const plain = text.trim().replace(/^,|[,;]$/g, "");
  const whole = parseText(plain, "json");
  if (whole.kind === "value") return anyForm(new Fields(whole.value));
  // A piece out of the middle of a file: `"tickets": { … }`, perhaps with a closing bracket too many.
  for (const tried of [`{${plain}}`, `{${plain}`, plain.replace(/\}\s*$/, ""), `${plain}}`]) {
    const again = parseText(tried, "json");
    if (again.kind === "value" && isRecord(again.value)) return anyForm(new Fields(again.value));
  }
  return broken(whole.line);
}

/** The servers in whichever program's form they stand. */
function anyForm(fields: Fields): Given {
  if (fields.has("mcp")) {
    const servers = fields.at("mcp", "servers");
    const isCode =
      servers.names.length > 0 && servers.names.every((name) => !servers.at(name).texts("command"));
    return found(isCode ? vscodeServers(fields.at("mcp")) : opencodeServers(fields));
  }
  if (Array.isArray(fields.raw("mcpServers"))) return found(continueServers(fields));
  if (fields.has("mcpServers")) {
    const servers = fields.at("mcpServers");
    const isGemini = servers.names.some((name) => servers.at(name).has("httpUrl"));
    return found(isGemini ? geminiServers(fields) : listedIn(servers));
  }
  if (fields.has("context_servers")) return found(zedServers(fields));
  if (fields.has("servers")) return found(vscodeServers(fields));
  if (fields.has("mcp_servers")) return found(codexServers(fields));
  if (fields.has("extensions")) return found(gooseServers(fields));
  if (["command", "cmd", "url", "serverUrl", "httpUrl"].some((name) => fields.has(name)))
    return found([unnamed(fields)]);
  return found(listedIn(fields).filter(({ start }) => start.kind !== "none"));
}

/** One server without its name around it. */
function unnamed(fields: Fields): ListedServer {
  const listed = listedOf(fields.text("name") ?? "", fields);
  if (listed.name !== "") return listed;
  const { start } = listed;
  if (start.kind === "program") return { ...listed, name: nameOf(start.command, start.args) };
  const host = start.kind === "remote" ? (URL.parse(start.url)?.hostname ?? "") : "";
  return { ...listed, name: host.replace(/^www\.|^mcp\.|^api\./, "") || "server" };
}

function found(servers: ListedServer[]): Given {
  if (servers.length > 0) return { kind: "servers", servers };
  return { kind: "problem", problem: "It names no MCP server that Patchbay could start or reach." };
}

function broken(line: number | null): Given {
  const where = line === null ? "" : ` in line ${line}`;
  return { kind: "problem", problem: `It cannot be read: something is wrong${where}.` };
}
