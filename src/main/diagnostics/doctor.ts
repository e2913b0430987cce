import { access, constants, statfs } from "node:fs/promises";
import { join } from "node:path";
import { machineRegistry } from "../catalog/index.ts";
import type { LanguageServers } from "../languages/language-servers.ts";
import type { MachineWalls } from "../permissions/machine-walls.ts";
import type { Platform } from "../platform/platform.ts";
import type { AgentStore, PluginRegistry, SettingsStore } from "../registry/index.ts";
import { howToInstall } from "../runtimes/flowly/python/how-to-install.ts";
import type { Pythons } from "../runtimes/flowly/python/pythons.ts";
import type { Vault } from "../secrets/index.ts";
import type { AuditLog, Places } from "../store/index.ts";
import type { LoadChecks } from "../views/load-checks.ts";

/** What the doctor looks at. */
export interface DoctorSources {
  readonly platform: Pick<Platform, "bundleDir">;
  readonly places: Pick<Places, "root">;
  readonly settings: Pick<SettingsStore, "get">;
  readonly vault: Pick<Vault, "status">;
  readonly found: Pick<Pythons, "used">;
  readonly languages: Pick<LanguageServers, "list">;
  readonly agents: Pick<AgentStore, "list">;
  readonly walls: Pick<MachineWalls, "report">;
  readonly registry: Pick<PluginRegistry, "list">;
  readonly audit: Pick<AuditLog, "verify">;
  readonly loadChecks: Pick<LoadChecks, "checkAll" | "problemOf">;
}

interface Check {
  name: string;
  ok: boolean;
  text: string;
  help?: string;
}

// The doctor warns when less than this is free, in MiB.
const leastFreeMb = 200;
const answerMs = 5_000;

/** Checks what Patchbay needs to work; each result is a sentence for the person. */
export async function diagnose(services: DoctorSources): Promise<Check[]> {
  return [
    nodeVersion(),
    await store(services),
    await freeSpace(services),
    vault(services),
    walls(services),
    await python(services),
    await code(services),
    await bundles(services),
    await pluginFiles(services),
    await auditLog(services),
    await registryAnswers(services),
  ];
}

function nodeVersion(): Check {
  const ok = Number(process.versions.node.split(".")[0]) >= 24;
  return { name: "Node", ok, text: process.version, ...(!ok && { help: "Use Node 24 or newer." }) };
}

async function store({ places }: DoctorSources): Promise<Check> {
  const ok = await isAllowed(places.root, constants.W_OK);
  const text = ok ? `${places.root} can be written` : `${places.root} cannot be written`;
  return { name: "Folder", ok, text, ...(!ok && { help: "Check the permissions of the folder." }) };
}

async function freeSpace({ places }: DoctorSources): Promise<Check> {
  const { bavail, bsize } = await statfs(places.root);
  const freeMb = Math.floor((bavail * bsize) / 1024 / 1024);
  const ok = freeMb >= leastFreeMb;
  return {
    name: "Free space",
    ok,
    text: `${freeMb.toLocaleString("en")} MiB are free`,
    ...(!ok && { help: "Free some space; plugins and conversations need it." }),
  };
}

function vault({ vault }: DoctorSources): Check {
  const { backend, open, problem } = vault.status();
  return {
    name: "Secrets",
    ok: open,
    text: problem?.message ?? `their key is kept in ${backend}`,
    ...(problem?.help && { help: problem.help }),
  };
}

function walls({ walls, settings }: DoctorSources): Check {
  const { stands, by, problem, help, gaps, unseen } = walls.report();
  const open = gaps.length > 0 ? `, but leaves this open. ${gaps.join(" ")}` : "";
  const blind = unseen === null ? "" : `${open ? "" : "."} Not all that they try can be seen. ${unseen}`;
  if (stands)
    return { name: "Walls", ok: true, text: `${by} holds plugins to what they were granted${open}${blind}` };
  const what = settings.get().unwalled
    ? "plugins run without them, because you decided so"
    : "plugins do not start";
  return { name: "Walls", ok: false, text: `${problem} Without walls, ${what}.`, ...(help && { help }) };
}

/** Without Python only plugins of Flowly do not run, so where none is installed that is no fault. */
async function python({ found, settings, registry }: DoctorSources): Promise<Check> {
  const used = await found.used();
  if (used?.usable) return { name: "Python", ok: true, text: `${used.version} (${used.path})` };
  const isNeeded = registry.list().some(({ runtime }) => runtime === "flowly");
  const chosen = settings.get().python;
  const text = chosen === null ? "none was found" : `${chosen} cannot be used`;
  const ok = !isNeeded && chosen === null;
  return { name: "Python", ok, text, ...(!ok && { help: howToInstall() }) };
}

/** The language servers of every agent's workspace. That there is none is no fault; that one of the person's own is gone is. */
async function code({ languages, agents }: DoctorSources): Promise<Check> {
  const workspaces = new Set(agents.list().map(({ workspace }) => workspace));
  const all = (await Promise.all([...workspaces].map((one) => languages.list(one)))).flat();
  const found = new Set(all.flatMap(({ name, path }) => (path === null ? [] : [`${name} (${path})`])));
  const gone = new Set(all.flatMap(({ own, path, command }) => (own && path === null ? [command[0]] : [])));
  const ok = gone.size === 0;
  const there = found.size === 0 ? "no language server was found" : [...found].join(", ");
  return {
    name: "Code",
    ok,
    text: ok ? there : `${there}; your own ${[...gone].join(", ")} is not on this computer`,
    ...(!ok && { help: "Install it, or change it under Settings, Code." }),
  };
}

async function bundles({ platform }: DoctorSources): Promise<Check> {
  const missing: string[] = [];
  for (const file of ["host.js", "fetch.js"])
    if (!(await isAllowed(join(platform.bundleDir, file), constants.R_OK))) missing.push(file);
  const ok = missing.length === 0;
  return {
    name: "Plugin host",
    ok,
    text: ok ? "it is built" : `${missing.join(" and ")} are missing in ${platform.bundleDir}`,
    ...(!ok && { help: "Run `npm run build`." }),
  };
}

async function pluginFiles({ loadChecks, registry }: DoctorSources): Promise<Check> {
  await loadChecks.checkAll();
  const bad = registry.list().filter((plugin) => loadChecks.problemOf(plugin.manifestKey));
  const ok = bad.length === 0;
  return {
    name: "Plugins",
    ok,
    text: ok
      ? `${registry.list().length} installed, all with the files that were installed`
      : `the files of ${bad.map((plugin) => plugin.displayName).join(", ")} were changed or are gone`,
    ...(!ok && { help: "Install them again." }),
  };
}

async function auditLog({ audit }: DoctorSources): Promise<Check> {
  const { ok, entries, faults, notes } = await audit.verify();
  const [first] = faults;
  const place = first?.day ? ` (${first.day}, line ${first.line})` : "";
  return {
    name: "Audit log",
    ok,
    text: first
      ? `it was changed${place}: ${first.text}`
      : [`${entries} entries, unbroken`, ...notes].join(". "),
    ...(!ok && { help: "Run `patchbay audit verify`, and compare with a backup of the folder audit." }),
  };
}

async function registryAnswers({ settings }: DoctorSources): Promise<Check> {
  const url = settings.get().registry ?? (await machineRegistry());
  try {
    const answer = await fetch(new URL("-/ping", url.endsWith("/") ? url : `${url}/`), {
      signal: AbortSignal.timeout(answerMs),
    });
    if (answer.status < 500) return { name: "Package registry", ok: true, text: `${url} answers` };
    return {
      name: "Package registry",
      ok: false,
      text: `${url} answers with ${answer.status}`,
      help: "Try again later.",
    };
  } catch {
    return {
      name: "Package registry",
      ok: false,
      text: `${url} does not answer`,
      help: "Plugins can be installed from files and folders meanwhile. Check the network and the registry's address.",
    };
  }
}

function isAllowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
