import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Keys of the tests, in the forms that real ones have. None opens anything. */
export const keys = {
  acme: "sk-acme-0Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1",
  github: "ghp_0123456789abcdefABCDEF0123456789abcd",
  linear: "lin_api_0Zx9Qw8Er7Ty6Ui5Op4As3Df",
  password: "correct-horse-battery",
} as const;

/** Files of other programs below a home folder, in the forms that those write. */
export function clientFiles(more: Record<string, string> = {}): Record<string, string> {
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  return {
    ".config/Claude/claude_desktop_config.json": json({
      mcpServers: {
        tickets: {
          command: "npx",
          args: ["-y", "@acme/tickets@1.0.0", "--region", "eu"],
          env: { ACME_KEY: keys.acme },
        },
        files: { command: "uvx", args: ["mcp-files", "--root", "/srv"] },
      },
    }),
    ".config/Claude/Claude Extensions/ant.dir.acme.notes/manifest.json": json({
      manifest_version: "0.3",
      name: "notes",
      display_name: "Notes",
      version: "1.2.0",
      description: "Keeps notes.",
      author: { name: "Acme" },
      server: {
        type: "node",
        entry_point: "server.mjs",
        mcp_config: {
          command: "node",
          args: ["${__dirname}/server.mjs"],
          env: { KEY: "${user_config.key}" },
        },
      },
      user_config: {
        key: { type: "string", title: "Key", sensitive: true, required: true },
        limit: { type: "number", title: "Limit" },
      },
    }),
    ".config/Claude/Claude Extensions/ant.dir.acme.notes/server.mjs": "",
    ".config/Claude/Claude Extensions Settings/ant.dir.acme.notes.json": json({
      isEnabled: false,
      userConfig: { key: "__encrypted__:djEwABCDEF", limit: 5 },
    }),
    ".claude.json": json({
      numStartups: 12,
      mcpServers: {
        linear: {
          type: "http",
          url: "https://mcp.linear.example/mcp",
          headers: { Authorization: "Bearer ${LINEAR_KEY}" },
        },
        helper: {
          type: "http",
          url: "https://mcp.helper.example/mcp",
          headersHelper: "/opt/acme/headers.sh",
        },
      },
      projects: {
        "/home/ada/work": {
          mcpServers: {
            deploy: { type: "stdio", command: "${DEPLOY_HOME:-/opt/deploy}/bin/deploy", args: ["mcp"] },
          },
        },
      },
    }),
    ".cursor/mcp.json": `{
  // The same as in Claude, and one more
  "mcpServers": {
    "tickets": { "command": "npx", "args": ["-y", "@acme/tickets@1.0.0", "--region", "eu"], "env": { "ACME_KEY": "${keys.acme}" } },
    "github": { "url": "https://api.github.example/mcp", "headers": { "Authorization": "Bearer ${keys.github}" } },
    "local": { "command": "\${userHome}/bin/local", "args": ["\${workspaceFolder}/src"], "envFile": ".env" },
  },
}`,
    ".config/Code/User/mcp.json": json({
      inputs: [
        { type: "promptString", id: "acme-key", description: "Key of Acme", password: true },
        { type: "pickString", id: "region", description: "Region", options: ["eu", "us"], default: "eu" },
        { type: "command", id: "login", command: "acme.login" },
      ],
      servers: {
        acme: {
          type: "stdio",
          command: "npx",
          args: ["-y", "@acme/mcp", "--region=${input:region}"],
          env: { ACME_KEY: "${input:acme-key}", LOGIN: "${input:login}", HOST: "${env:ACME_HOST}" },
        },
        socket: { type: "http", url: "unix:///tmp/acme.sock" },
      },
    }),
    ".copilot/mcp-config.json": json({
      mcpServers: { copilot: { type: "local", command: "copilot-server", args: [], tools: ["*"] } },
    }),
    ".codeium/windsurf/mcp_config.json": json({
      mcpServers: { wind: { serverUrl: "https://wind.example/sse", disabledTools: ["drop", "wipe"] } },
    }),
    ".config/devin/mcp_config.json": json({
      mcpServers: { devin: { url: "https://devin.example/mcp", transport: "http" } },
    }),
    ".config/zed/settings.json": `{
  "theme": "One Dark", /* and so on */
  "context_servers": {
    "postgres": { "source": "custom", "enabled": false, "command": { "path": "pg-mcp", "args": ["postgresql://ada:${keys.password}@db.example/main"], "env": null } },
  },
}`,
    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json": json({
      mcpServers: {
        cline: {
          type: "streamableHttp",
          url: "https://cline.example/mcp",
          disabled: true,
          autoApprove: ["read", "list"],
          timeout: 60,
        },
      },
    }),
    ".codex/config.toml": `model = "gpt-6"

[mcp_servers.codex]
command = "codex-server"
args = ["--fast"]
env_vars = ["ACME_HOST"]
enabled_tools = ["search"]
[mcp_servers.codex.env]
MODE = "strict"

[mcp_servers.bearer]
url = "https://bearer.example/mcp"
bearer_token_env_var = "BEARER_KEY"
env_http_headers = { "X-Acme" = "ACME_HOST" }
enabled = false
`,
    ".gemini/settings.json": json({
      theme: "dark",
      mcpServers: {
        old: { url: "https://old.example/sse", trust: true },
        new: {
          httpUrl: "https://new.example/mcp",
          headers: { "X-Key": "$GEMINI_ACME_KEY" },
          excludeTools: ["drop"],
        },
      },
    }),
    ".lmstudio/mcp.json": json({ mcpServers: { studio: { command: "studio-server" } } }),
    ".config/goose/config.yaml": `GOOSE_MODEL: x
extensions:
  developer:
    type: builtin
    enabled: true
  tracker:
    type: stdio
    enabled: true
    cmd: uvx
    args: [tracker-mcp]
    envs: {MODE: strict}
    env_keys: [TRACKER_KEY]
    timeout: 300
    available_tools: [find]
  web:
    type: streamable_http
    enabled: false
    uri: https://goose.example/mcp
    headers: {}
`,
    ".config/opencode/opencode.jsonc": `{
  "$schema": "x",
  "mcp": {
    "oc": { "type": "local", "command": ["bun", "x", "oc-mcp"], "environment": { "OC_HOST": "{env:ACME_HOST}", "OC_TOKEN": "{file:~/.oc-token}" } },
    "oc-remote": { "type": "remote", "url": "https://oc.example/mcp", "enabled": false },
  },
}`,
    ".kiro/settings/mcp.json": json({
      mcpServers: { kiro: { command: "kiro-server", disabled: false, autoApprove: [] } },
    }),
    ".gemini/antigravity/mcp_config.json": json({
      mcpServers: { anti: { serverUrl: "https://anti.example/mcp" } },
    }),
    ".continue/config.yaml":
      "name: mine\nmcpServers:\n  - name: continued\n    command: npx\n    args: ['-y', 'continued-mcp']\n",
    ".factory/mcp.json": json({ mcpServers: { droid: { type: "stdio", command: "droid-server" } } }),
    ...more,
  };
}

export async function writeHome(home: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  }
}

/** Everything below a folder, with times and bytes: the same before and after something that only reads. */
export async function everythingIn(home: string): Promise<string[]> {
  const names = await readdir(home, { recursive: true });
  return Promise.all(
    names.sort().map(async (name) => {
      const path = join(home, name);
      const found = await stat(path);
      const text = found.isFile() ? await readFile(path, "utf8") : "";
      return `${name} ${found.mtimeMs} ${found.size} ${text}`;
    }),
  );
}
