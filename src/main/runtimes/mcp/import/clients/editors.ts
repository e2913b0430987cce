import { join } from "node:path";
import { Fields } from "../text/fields.ts";
import { type ListedServer, listedIn, listedOf } from "./listed.ts";
import { type ClientFile, configFolder, type Elsewhere, settingsFolder, usualFile } from "./place.ts";

/** Cursor: the person's servers and the project's. */
export function cursor({ home, cwd }: Elsewhere): ClientFile[] {
  return [
    usualFile("cursor", join(home, ".cursor", "mcp.json")),
    usualFile("cursor", join(cwd, ".cursor", "mcp.json"), "project"),
  ];
}

/** Windsurf, and Devin that it became. */
export function windsurf(at: Elsewhere): ClientFile[] {
  return [
    usualFile("windsurf", join(at.home, ".codeium", "windsurf", "mcp_config.json")),
    usualFile("devin", join(configFolder(at), "devin", "mcp_config.json")),
  ];
}

/** Cline in VS Code, and its own program. */
export function cline(at: Elsewhere): ClientFile[] {
  const inCode = join(
    "User",
    "globalStorage",
    "saoudrizwan.claude-dev",
    "settings",
    "cline_mcp_settings.json",
  );
  return [
    usualFile("cline", join(settingsFolder(at), "Code", inCode)),
    usualFile("cline", join(at.home, ".cline", "data", "settings", "cline_mcp_settings.json")),
  ];
}

/** Zed keeps servers among all of its settings; older ones have their command in a record of its own. */
export function zed(at: Elsewhere): ClientFile[] {
  const folder = at.platform === "win32" ? join(settingsFolder(at), "Zed") : join(configFolder(at), "zed");
  const file = join(folder, "settings.json");
  return [{ client: "zed", file, format: "json", place: "user", read: zedServers }];
}

export function zedServers(fields: Fields): ListedServer[] {
  const servers = fields.at("context_servers");
  return servers.names.map((name) => {
    const server = servers.at(name);
    const old = server.at("command");
    if (old.names.length === 0) return listedOf(name, server);
    const { path, ...rest } = Object.fromEntries(old.entries());
    const enabled = server.flag("enabled");
    return listedOf(name, new Fields({ ...rest, command: path, ...(enabled !== undefined && { enabled }) }));
  });
}

/** LM Studio has Cursor's form. */
export function lmStudio({ home }: Elsewhere): ClientFile[] {
  return [usualFile("lm-studio", join(home, ".lmstudio", "mcp.json"))];
}

/** Further programs in the form that most share. */
export function others({ home, cwd }: Elsewhere): ClientFile[] {
  return [
    usualFile("kiro", join(home, ".kiro", "settings", "mcp.json")),
    usualFile("kiro", join(cwd, ".kiro", "settings", "mcp.json"), "project"),
    usualFile("antigravity", join(home, ".gemini", "antigravity", "mcp_config.json")),
    usualFile("factory", join(home, ".factory", "mcp.json")),
    {
      client: "continue",
      file: join(home, ".continue", "config.yaml"),
      format: "yaml",
      place: "user",
      read: continueServers,
    },
  ];
}

/** Continue has a list, in which each server says its name. */
export function continueServers(fields: Fields): ListedServer[] {
  const list = fields.raw("mcpServers");
  if (!Array.isArray(list)) return listedIn(fields.at("mcpServers"));
  return list.flatMap((one) => {
    const server = new Fields(one);
    const name = server.text("name");
    return name === undefined ? [] : [listedOf(name, server)];
  });
}
