import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a person's pip is told about where packages come from. Everything else that they set for it is left out. */
const kept = [
  "index-url",
  "extra-index-url",
  "find-links",
  "no-index",
  "trusted-host",
  "cert",
  "client-cert",
  "retries",
  "timeout",
  "default-timeout",
  "only-binary",
  "no-binary",
  "prefer-binary",
];

/** How pip is told where packages come from, and what it has to reach for that. */
export interface PipSettings {
  /** Variables of its environment. With them no file of the person is read. */
  env: Record<string, string>;
  /** The proxy of the person, for where no wall stands. */
  proxy: string | null;
  /** Indexes that the person's settings name, which may lie anywhere, also on this machine; pip's own is a public one. */
  indexes: URL[];
  /** Folders and files that it reads: certificates, and indexes that are folders. */
  read: string[];
}

/** From the person's own configuration of pip, its files first and then the environment. */
export async function pipSettings(env: NodeJS.ProcessEnv): Promise<PipSettings> {
  const values = new Map<string, string>();
  for (const file of configFiles(env))
    for (const [name, value] of parsed(await readFile(file, "utf8").catch(() => ""))) values.set(name, value);
  for (const name of [...kept, "proxy"]) {
    const value = env[`PIP_${name.replaceAll("-", "_").toUpperCase()}`];
    if (value !== undefined && value !== "") values.set(name, value);
  }
  const places = ["index-url", "extra-index-url", "find-links"].flatMap((name) => words(values.get(name)));
  return {
    env: {
      PIP_CONFIG_FILE: process.platform === "win32" ? "nul" : "/dev/null",
      ...Object.fromEntries(
        kept.flatMap((name) => {
          const value = values.get(name);
          return value === undefined ? [] : [[`PIP_${name.replaceAll("-", "_").toUpperCase()}`, value]];
        }),
      ),
    },
    proxy: values.get("proxy") ?? null,
    indexes: places.flatMap((place) =>
      /^https?:\/\//i.test(place) && URL.canParse(place) ? [new URL(place)] : [],
    ),
    read: [
      ...places.flatMap(folderOf),
      ...["cert", "client-cert"].flatMap((name) => words(values.get(name))),
    ].filter(isAbsolute),
  };
}

/** In the order in which a later one counts before an earlier one. */
function configFiles(env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME ?? homedir();
  const own = env.PIP_CONFIG_FILE;
  if (own === "/dev/null" || own?.toLowerCase() === "nul") return [];
  const named = own ? [own] : [];
  if (process.platform === "win32") {
    const data = env.APPDATA ?? join(home, "AppData", "Roaming");
    return [
      join(env.ProgramData ?? "C:\\ProgramData", "pip", "pip.ini"),
      join(home, "pip", "pip.ini"),
      join(data, "pip", "pip.ini"),
      ...named,
    ];
  }
  const system = (env.XDG_CONFIG_DIRS || "/etc/xdg")
    .split(delimiter)
    .map((folder) => join(folder, "pip", "pip.conf"));
  const config =
    env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(home, ".config");
  const mac = [join(home, "Library", "Application Support", "pip", "pip.conf")];
  return [
    ...system.reverse(),
    "/etc/pip.conf",
    join(home, ".pip", "pip.conf"),
    join(config, "pip", "pip.conf"),
    ...(process.platform === "darwin" ? mac : []),
    ...named,
  ];
}

/** The settings of the sections that count for `pip install`, those of `[install]` last. Values may go on over several lines. */
function parsed(text: string): Map<string, string> {
  const sections = { global: new Map<string, string>(), install: new Map<string, string>() };
  let section: Map<string, string> | undefined;
  let name: string | undefined;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    const heading = /^\[(.+)\]\s*$/.exec(line)?.[1];
    const pair = /^([^\s=:][^=:]*?)\s*[=:]\s*(.*)$/.exec(line);
    if (heading !== undefined) {
      section = heading === "global" || heading === "install" ? sections[heading] : undefined;
      name = undefined;
    } else if (pair) {
      name = pair[1]?.toLowerCase().replaceAll("_", "-");
      if (name !== undefined) section?.set(name, pair[2]?.trim() ?? "");
    } else if (name !== undefined && section && /^\s/.test(line)) {
      section.set(name, `${section.get(name) ?? ""} ${line.trim()}`.trim());
    }
  }
  return new Map([...sections.global, ...sections.install]);
}

function words(value: string | undefined): string[] {
  return (value ?? "").split(/\s+/).filter((word) => word !== "");
}

function folderOf(place: string): string[] {
  if (isAbsolute(place)) return [place];
  try {
    return place.startsWith("file:") ? [fileURLToPath(place)] : [];
  } catch {
    return [];
  }
}
