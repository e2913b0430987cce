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
/** The version under which given packages stand in a tree until they are taken out of it: whatever was asked for fits it. */
const GIVEN_VERSION = "0.0.0-given";
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
    packumentCache: new GivenPackages(given),
  });
  const ideal = await arborist.buildIdealTree();
  // What Patchbay gives is there for the packages that others depend on, too.
  for (const node of [...ideal.inventory.values()]) if (given.includes(node.name)) node.parent = null;
  // What the registry announces is looked at before anything is fetched: afterwards each has a checksum of its own.
  const announced = [...ideal.inventory.values()].filter(isFetched);
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

/**
 * Runs the installation scripts of the package in `dir` and of everything below it, one after the other. The person allowed
 * it. What they print goes where this process prints, and `log` is told of each before it runs.
 */
export async function runInstallScripts(
  { dir, options }: FetchOperations["scripts"]["input"],
  log: (text: string) => void,
): Promise<Output<"scripts">> {
  const arborist = new Arborist({
    ...clientOptions(options),
    path: dir,
    ignoreScripts: false,
    dangerouslyAllowAllScripts: true,
    foregroundScripts: true,
    packageLock: false,
    binLinks: true,
    audit: false,
    fund: false,
  });
  // npm announces each script in its own log: `run`, the package, the event, its place and the command; its end is shorter.
  const announced = (_level: unknown, what: unknown, ...[of, event, , command]: unknown[]) => {
    if (what === "run" && typeof command === "string") log(`Running ${event} of ${of}: ${command}`);
  };
  process.on("log" as never, announced as never);
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
    overrides: {
      ...file.overrides,
      ...Object.fromEntries(given.map((name) => [name, GIVEN_VERSION])),
    },
  };
}

/**
 * What registries say of packages, for npm's tree builder, by the address of the question. Of the packages that are given
 * it says itself that there are, so that no registry is asked for them: most know none of that name.
 */
class GivenPackages extends Map<string, unknown> {
  readonly #given: readonly string[];

  constructor(given: readonly string[]) {
    super();
    this.#given = given;
  }

  override has(key: string): boolean {
    return this.#nameIn(key) !== undefined || super.has(key);
  }

  override get(key: string): unknown {
    const name = this.#nameIn(key);
    if (name === undefined) return super.get(key);
    const version = { name, version: GIVEN_VERSION, dist: {} };
    return { name, "dist-tags": { latest: GIVEN_VERSION }, versions: { [GIVEN_VERSION]: version } };
  }

  #nameIn(key: string): string | undefined {
    return this.#given.find((name) => key.endsWith(`/${name.replace("/", "%2f")}`));
  }
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
