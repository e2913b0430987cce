import { join } from "node:path";
import type { Fields } from "../text/fields.ts";
import { type ListedServer, listedIn } from "./listed.ts";
import type { ClientFile, Elsewhere } from "./place.ts";

/** Codex keeps servers in TOML, with the names of variables in fields of their own. */
export function codex({ home, env }: Elsewhere): ClientFile[] {
  const file = join(env.CODEX_HOME || join(home, ".codex"), "config.toml");
  return [{ client: "codex", file, format: "toml", place: "user", read: codexServers }];
}

export function codexServers(fields: Fields): ListedServer[] {
  const servers = fields.at("mcp_servers");
  return listedIn(servers).map((listed) => {
    const { start } = listed;
    const own = servers.at(listed.name);
    if (start.kind === "program") {
      const env = new Map((own.texts("env_vars") ?? []).map((name) => [name, `\${env:${name}}`]));
      return { ...listed, start: { ...start, env: new Map([...env, ...start.env]) } };
    }
    if (start.kind !== "remote") return listed;
    const bearer = own.text("bearer_token_env_var");
    const headers = new Map(start.headers);
    for (const [header, name] of own.record("env_http_headers")) headers.set(header, `\${env:${name}}`);
    if (bearer !== undefined) headers.set("Authorization", `Bearer \${env:${bearer}}`);
    return { ...listed, start: { ...start, headers } };
  });
}
