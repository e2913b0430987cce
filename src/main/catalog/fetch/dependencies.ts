import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Arborist, { type ArboristNode } from "@npmcli/arborist";
import pacote from "pacote";
import { mapLimited } from "../tree.ts";
import { clientOptions } from "./client-options.ts";
import type { FetchOperations } from "./protocol.ts";
import { keysOf, verifying } from "./vouching.ts";

type Output<Op extends keyof FetchOperations> = FetchOperations[Op]["output"];

const installScripts = ["preinstall", "install", "postinstall"];
const never = { allowGit: "none", allowRemote: "none", allowFile: "none", allowDirectory: "none" } as const;

/**
 * Fetches the dependencies of a package into a folder beside it and moves them into its `node_modules`. Only what it
 * needs to run is fetched, and only from the registry: its lock file, development dependencies, workspaces and what
 * Patchbay gives to plugins are ignored. Packages that it bundles in its `node_modules` stay.
 */
export async function addDependencies({
  dir,
  given,
  options,
}: FetchOperations["dependencies"]["input"]): Promise<Output<"dependencies">> {
  const beside = `${dir}-dependencies`;
  await mkdir(beside, { recursive: true });
  await writeFile(join(beside, "package.json"), JSON.stringify(await runtimeNeeds(dir, given)));
  const arborist = new Arborist({
    ...clientOptions(options),
    ...never,
    path: beside,
    ignoreScripts: true,
    packageLock: false,
    binLinks: false,
    audit: false,
    fund: false,
  });
  // What the registry announces is looked at before anything is fetched: afterwards each has a checksum of its own.
  const announced = [...(await arborist.buildIdealTree()).inventory.values()].filter(isFetched);
  const withoutIntegrity = announced.filter(({ integrity }) => !integrity).map(nameOf);
  await verifySignatures(announced, options);
  const tree = await arborist.reify({ save: false, omit: ["dev"] });
  const added = [...tree.inventory.values()].filter((node) => !node.isProjectRoot);
  await mergeInto(join(dir, "node_modules"), join(beside, "node_modules"));
  await rm(beside, { recursive: true, force: true });
  return {
    added: added.map(({ name, version }) => ({ name, version })),
    withoutIntegrity,
    wantScripts: added.filter(wantsScripts).map((node) => node.name),
  };
}

/** Refuses packages whose signature does not fit, where the registry signs. @throws the client's errors */
async function verifySignatures(
  nodes: readonly ArboristNode[],
  options: FetchOperations["dependencies"]["input"]["options"],
): Promise<void> {
  const keys = nodes.length > 0 ? await keysOf(options) : "none";
  if (typeof keys === "string") return;
  const packumentCache = new Map();
  const how = { ...clientOptions(options), ...verifying(keys, options), fullMetadata: true, packumentCache };
  await mapLimited(nodes, (node) => pacote.manifest(nameOf(node), how as never));
}

/** Whether a package is fetched by itself, and not in the archive of another one. */
function isFetched({ isProjectRoot, inBundle }: ArboristNode): boolean {
  return !isProjectRoot && !inBundle;
}

function nameOf({ name, version }: ArboristNode): string {
  return `${name}@${version}`;
}

/** Runs the installation scripts of the package in `dir` and of everything below it. The person allowed it. */
export async function runInstallScripts(
  { dir, options }: FetchOperations["scripts"]["input"],
  log: (text: string) => void,
): Promise<Output<"scripts">> {
  const arborist = new Arborist({
    ...clientOptions(options),
    path: dir,
    ignoreScripts: false,
    dangerouslyAllowAllScripts: true,
    packageLock: false,
    binLinks: true,
    audit: false,
    fund: false,
  });
  await arborist.rebuild();
  log("The scripts have run");
  return {};
}

async function runtimeNeeds(dir: string, given: readonly string[]): Promise<Record<string, unknown>> {
  const file = JSON.parse((await readFile(join(dir, "package.json"), "utf8")).replace(/^\uFEFF/, ""));
  const bundled = file.bundleDependencies ?? file.bundledDependencies;
  const isBundled = (name: string) => bundled === true || (Array.isArray(bundled) && bundled.includes(name));
  const without = (names: Record<string, string> | undefined) =>
    Object.fromEntries(
      Object.entries(names ?? {}).filter(([name]) => !isBundled(name) && !given.includes(name)),
    );
  return {
    name: "plugin-dependencies",
    version: "0.0.0",
    dependencies: without(file.dependencies),
    optionalDependencies: without(file.optionalDependencies),
    peerDependencies: without(file.peerDependencies),
    peerDependenciesMeta: file.peerDependenciesMeta ?? {},
    ...(file.overrides && { overrides: file.overrides }),
  };
}

function wantsScripts(node: ArboristNode): boolean {
  return node.hasInstallScript || installScripts.some((script) => node.package.scripts?.[script]);
}

async function mergeInto(target: string, source: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const name of await readdir(source).catch(() => [])) {
    if (name.startsWith(".")) continue;
    const from = join(source, name);
    const to = join(target, name);
    if (name.startsWith("@")) await mergeInto(to, from);
    else if (!(await stat(to).catch(() => null))) await rename(from, to);
  }
}
