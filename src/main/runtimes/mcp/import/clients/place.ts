import { join } from "node:path";
import type { Fields } from "../text/fields.ts";
import type { Format } from "../text/parse-text.ts";
import { type ListedServer, listedIn } from "./listed.ts";

/** Where other programs keep their files on this computer. */
export interface Elsewhere {
  home: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The folder that counts as the project, where the person opened one. */
  cwd: string;
}

/** The programs whose servers are found, by the short names of the command line. */
export const clientNames = {
  "claude-desktop": "Claude Desktop",
  "claude-code": "Claude Code",
  cursor: "Cursor",
  vscode: "VS Code",
  copilot: "Copilot CLI",
  windsurf: "Windsurf",
  devin: "Devin",
  zed: "Zed",
  cline: "Cline",
  codex: "Codex",
  gemini: "Gemini CLI",
  "lm-studio": "LM Studio",
  goose: "Goose",
  opencode: "opencode",
  kiro: "Kiro",
  antigravity: "Antigravity",
  continue: "Continue",
  factory: "Factory",
} as const;
export type ClientId = keyof typeof clientNames;

/** A file of another program, and how its servers are read. */
export interface ClientFile {
  client: ClientId;
  file: string;
  format: Format;
  /** The person's own, or of the project that Patchbay was started in. */
  place: "user" | "project";
  /** Whatever stands there, this throws nothing. */
  read(file: Fields, at: Elsewhere): ListedServer[] | Promise<ListedServer[]>;
}

/** Where programs keep settings on this system. */
export function settingsFolder({ home, env, platform }: Elsewhere): string {
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return configFolder({ home, env });
}

/** Where programs that follow the XDG rules keep settings, on Macs as well. */
export function configFolder({ home, env }: Pick<Elsewhere, "home" | "env">): string {
  return env.XDG_CONFIG_HOME || join(home, ".config");
}

/** A file in the form that most programs share: JSON with `mcpServers`. */
export function usualFile(
  client: ClientId,
  file: string,
  place: ClientFile["place"] = "user",
  more: Partial<ListedServer> = {},
): ClientFile {
  return { client, file, format: "json", place, read: (fields) => listedIn(fields.at("mcpServers"), more) };
}
