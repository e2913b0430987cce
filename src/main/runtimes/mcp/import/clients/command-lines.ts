import { join } from "node:path";
import type { FoundNote } from "../../../../../contract/found/found-server.ts";
import type { Fields } from "../text/fields.ts";
import { type ListedServer, listedIn } from "./listed.ts";
import { type ClientFile, configFolder, type Elsewhere, settingsFolder } from "./place.ts";

/** Gemini CLI: `url` is SSE there and `httpUrl` the newer one; `$X` is a variable. */
export function gemini({ home, cwd }: Elsewhere): ClientFile[] {
  const file = (folder: string, place: ClientFile["place"]): ClientFile => ({
    client: "gemini",
    file: join(folder, ".gemini", "settings.json"),
    format: "json",
    place,
    read: geminiServers,
  });
  return [file(home, "user"), file(cwd, "project")];
}

export function geminiServers(fields: Fields): ListedServer[] {
  const servers = fields.at("mcpServers");
  return listedIn(servers, { bareVariables: true }).map((listed) => {
    const { start } = listed;
    if (start.kind !== "remote" || start.transport !== "auto") return listed;
    const own = servers.at(listed.name);
    const http = own.text("httpUrl");
    const remote: typeof start =
      http === undefined ? { ...start, transport: "sse" } : { ...start, url: http, transport: "http" };
    return { ...listed, start: remote };
  });
}

/** Goose: its extensions in YAML, some of which are servers; keys in the keyring cannot be read. */
export function goose(at: Elsewhere): ClientFile[] {
  const folder =
    at.platform === "win32"
      ? join(settingsFolder(at), "Block", "goose", "config")
      : join(configFolder(at), "goose");
  return [
    { client: "goose", file: join(folder, "config.yaml"), format: "yaml", place: "user", read: gooseServers },
  ];
}

export function gooseServers(fields: Fields): ListedServer[] {
  const extensions = fields.at("extensions");
  const isServer = (name: string) =>
    ["stdio", "sse", "streamable_http"].includes(extensions.at(name).text("type") ?? "");
  return listedIn(extensions)
    .filter(({ name }) => isServer(name))
    .map((listed) => {
      const keys = extensions.at(listed.name).texts("env_keys") ?? [];
      const { start } = listed;
      if (start.kind !== "program") return listed;
      const open = keys.filter((key) => !start.env.has(key));
      const env = new Map([...start.env, ...open.map((key) => [key, `\${keyring:${key}}`] as const)]);
      const notes: FoundNote[] = open.map((key) => ({ code: "asked", what: key }));
      return { ...listed, start: { ...start, env }, notes: [...listed.notes, ...notes] };
    });
}

/** opencode: `mcp.x`, in its second version `mcp.servers.x`; its variables have curly brackets alone. */
export function opencode(at: Elsewhere): ClientFile[] {
  const folder = join(configFolder(at), "opencode");
  const file = (path: string, place: ClientFile["place"]): ClientFile => ({
    client: "opencode",
    file: path,
    format: "json",
    place,
    read: opencodeServers,
  });
  return [
    file(join(folder, "opencode.json"), "user"),
    file(join(folder, "opencode.jsonc"), "user"),
    file(join(at.cwd, "opencode.json"), "project"),
    file(join(at.cwd, "opencode.jsonc"), "project"),
  ];
}

export function opencodeServers(fields: Fields): ListedServer[] {
  const mcp = fields.at("mcp");
  const second = mcp.at("servers");
  const isSecond = second.names.length > 0 && !second.has("type");
  return listedIn(isSecond ? second : mcp, { curlyVariables: true });
}
