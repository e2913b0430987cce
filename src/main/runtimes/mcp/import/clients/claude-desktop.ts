import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Fields } from "../text/fields.ts";
import { parseText } from "../text/parse-text.ts";
import { readText } from "../text/read-text.ts";
import type { ListedServer } from "./listed.ts";
import { type ClientFile, type Elsewhere, settingsFolder, usualFile } from "./place.ts";

const MOST_BUNDLES = 200;
const settingsBytes = 1024 * 1024;

/** Claude Desktop: its settings, and the bundles that it has unpacked. */
export function claudeDesktop(at: Elsewhere): ClientFile[] {
  const folder = join(settingsFolder(at), "Claude");
  return [usualFile("claude-desktop", join(folder, "claude_desktop_config.json"))];
}

/** The bundles that Claude Desktop has unpacked, with what its person set. Values that it has encrypted cannot be read. */
export async function claudeBundles(at: Elsewhere): Promise<{ file: string; servers: ListedServer[] }> {
  const folder = join(settingsFolder(at), "Claude");
  const file = join(folder, "Claude Extensions");
  const names = await readdir(file, { withFileTypes: true }).catch(() => []);
  const servers: ListedServer[] = [];
  for (const entry of names.filter((one) => one.isDirectory()).slice(0, MOST_BUNDLES)) {
    const dir = join(file, entry.name);
    const manifest = await fieldsIn(join(dir, "manifest.json"));
    if (!manifest?.has("server")) continue;
    const settings = await fieldsIn(join(folder, "Claude Extensions Settings", `${entry.name}.json`));
    servers.push({
      name: manifest.text("display_name", "name") ?? entry.name,
      isOn: settings?.flag("isEnabled") ?? true,
      start: { kind: "bundle", dir, values: settings?.at("userConfig") ?? new Fields({}) },
      tools: {},
      notes: [],
    });
  }
  return { file, servers };
}

async function fieldsIn(file: string): Promise<Fields | null> {
  const read = await readText(file, settingsBytes);
  if (read.kind !== "text") return null;
  const parsed = parseText(read.text, "json");
  return parsed.kind === "value" ? new Fields(parsed.value) : null;
}
