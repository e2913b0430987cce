import { join } from "node:path";
import {
  discoverFlowly,
  type FlowlyLists,
  type FoundFlowly,
} from "../../../src/main/runtimes/flowly/discovery/discover.ts";
import { flowlyLists } from "../../../src/main/runtimes/flowly/discovery/lists.ts";
import { flowlyPlaces } from "../../../src/main/runtimes/flowly/discovery/places.ts";
import { readManifest } from "../../../src/main/runtimes/flowly/manifest/read-manifest.ts";
import { type HostState, library, NotLoaded, PluginHost } from "./plugin-host.ts";
import type { Case, Row, Run, State, Tree } from "./record.ts";

/** What an agent of Flowly does with its plugins, here with one production host for each. */
export class TruthAgent {
  readonly tree: Tree;
  readonly given: Case;
  /** What a guard that fails means; Flowly itself lets the call through. */
  readonly guards: "allow" | "block";
  readonly #env: Record<string, string>;
  readonly #run: Run;
  #found: FoundFlowly[] = [];
  #hosts: PluginHost[] = [];
  readonly #errors = new Map<string, string>();
  #states = new Map<PluginHost, HostState>();
  #printed: string[] = [];

  constructor(tree: Tree, given: Case, run: Run, guards: "allow" | "block") {
    this.tree = tree;
    this.given = given;
    this.guards = guards;
    this.#run = run;
    this.#env = {
      PATH: process.env.PATH ?? "",
      HOME: join(tree.root, "userhome"),
      TZ: "UTC",
      LC_ALL: "C.UTF-8",
      ...Object.fromEntries(
        Object.entries(run.env ?? {}).map(([name, value]) => [name, value.replaceAll("${ROOT}", tree.root)]),
      ),
    };
  }

  get hosts(): readonly PluginHost[] {
    return this.#hosts;
  }

  get found(): readonly FoundFlowly[] {
    return this.#found;
  }

  /** Finds and starts the plugins, by the lists of the run or by others. */
  async discover(lists?: FlowlyLists): Promise<void> {
    await this.close();
    const { project, home, root } = this.tree;
    const env = { ...this.#env, FLOWLY_HOME: home, PATH: "" };
    const places = { ...(await flowlyPlaces(env, project)), bundled: join(root, "bundled") };
    const { configFile, useConfig, enabled, disabled } = this.#run;
    const own =
      configFile !== undefined || useConfig
        ? await flowlyLists(home)
        : { enabled: new Set(enabled), disabled: new Set(disabled) };
    this.#errors.clear();
    const found = await discoverFlowly(places, lists ?? own);
    // Flowly does not look into categories; only the cases about them are about that difference.
    const nested = this.given.differs?.includes("nested");
    this.#found = found.filter(({ manifest, key }) => nested || key === manifest?.name || !key.includes("/"));
    await this.#start(this.#found.filter(({ status }) => status === "enabled"));
  }

  /** Loads one more plugin, of a category. */
  async add(dir: string, prefix: string): Promise<void> {
    const read = await readManifest(dir, { category: prefix });
    if (read.kind !== "manifest") throw new Error(`${dir} has no manifest that can be read.`);
    const dirName = dir.split("/").at(-1) ?? "";
    const found: FoundFlowly = {
      key: `${prefix}/${dirName}`,
      dirName,
      place: "user",
      dir,
      manifest: read.manifest,
      status: "enabled",
      theirs: null,
      reason: null,
    };
    const known = this.#found.findIndex((one) => one.key === found.key);
    if (known >= 0) {
      const [host] = this.#hosts.filter((one) => one.found.key === found.key);
      await host?.stop();
      this.#hosts = this.#hosts.filter((one) => one !== host);
      this.#found.splice(known, 1);
    }
    this.#found.push(found);
    await this.#start([found]);
  }

  /** Two at once; what each prints while it is loaded stands in the order of the plugins. */
  async #start(all: readonly FoundFlowly[]): Promise<void> {
    const waiting = all.map((found) => ({
      found,
      lines: [] as string[],
      host: undefined as PluginHost | undefined,
    }));
    const queue = [...waiting];
    const loader = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const one = next;
        try {
          const print = (line: string) => void (one.host ? this.#printed : one.lines).push(line);
          one.host = await PluginHost.start(one.found, this.tree, this.#env, { print, guards: this.guards });
        } catch (error) {
          if (!(error instanceof NotLoaded)) throw error;
          this.#errors.set(one.found.dir, error.message);
        }
      }
    };
    await Promise.all([loader(), loader()]);
    for (const { lines, host } of waiting) {
      this.#printed.push(...lines);
      if (host) this.#hosts.push(host);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.splice(0).map((host) => host.stop()));
  }

  /** What the plugins have printed since the last time. */
  printed(): string {
    return this.#printed
      .splice(0)
      .map((line) => `${line}\n`)
      .join("");
  }

  /** What could not be read or loaded, with Flowly's text about it. */
  faults(): { dir: string; name: string; text: string }[] {
    return this.#found.flatMap(({ dir, key, manifest, status, theirs }) => {
      const text = status === "error" ? (theirs ?? "") : this.#errors.get(dir);
      return text === undefined ? [] : [{ dir, name: manifest?.name ?? key, text }];
    });
  }

  /** Asks the plugins for their states; those whose process has ended are gone. */
  async refresh(): Promise<void> {
    const states = await Promise.all(this.#hosts.map((host) => host.state().catch(() => null)));
    this.#states = new Map();
    this.#hosts = this.#hosts.filter((host, at) => {
      const state = states[at];
      if (state) {
        this.#states.set(host, state);
        host.registered = new Set(Object.keys(state.hooks));
      }
      return state !== null;
    });
  }

  stateOf(host: PluginHost): HostState {
    const state = this.#states.get(host);
    if (!state) throw new Error(`${host.found.key} was not asked for its state.`);
    return state;
  }

  /** The plugin whose entry of a name counts: the last one that has it. */
  owner(kind: "tools" | "commands" | "skills", name: string): PluginHost | undefined {
    return this.#hosts.findLast((host) => Object.hasOwn(this.stateOf(host)[kind], name));
  }

  /** The plugins that have callbacks for an event, in their order. */
  listeners(event: string): PluginHost[] {
    return this.#hosts.filter((host) => this.stateOf(host).hooks[event] !== undefined);
  }

  /** Everything in the form of the record, last {@link refresh}ed. */
  state(): State {
    const rows = this.#found.filter(({ manifest, status }) => manifest !== null && status !== "overridden");
    const state: Required<State> = {
      plugins: rows.map((found) => this.#row(found)).sort((one, other) => (one.key < other.key ? -1 : 1)),
      manifests: Object.fromEntries(rows.map((found) => [found.key, this.#manifest(found)])),
      handled_in_order: rows.map(({ key }) => key),
      tools: {},
      hooks: {},
      commands: {},
      skills: {},
      web: [...new Set(this.#hosts.flatMap((host) => this.stateOf(host).web))].sort(),
      modules: this.#hosts.flatMap((host) => this.stateOf(host).modules).sort(),
    };
    for (const name of this.given.builtinTools ?? []) state.tools[name] = { builtin: true, source: null };
    for (const host of this.#hosts) {
      const own = this.stateOf(host);
      const source = host.found.manifest?.name;
      for (const [name, tool] of Object.entries(own.tools)) state.tools[name] = { ...tool, source };
      for (const [name, one] of Object.entries(own.commands))
        state.commands[name] = { args_hint: one.args_hint, description: one.description, plugin: source };
      for (const [name, one] of Object.entries(own.skills)) state.skills[name] = { ...one, plugin: source };
      for (const [event, names] of Object.entries(own.hooks))
        state.hooks[event] = [...(state.hooks[event] ?? []), ...names];
    }
    return this.masked(state);
  }

  /** With the folder of the run written as in the record. */
  masked<T>(value: T): T {
    return JSON.parse(
      JSON.stringify(value ?? null)
        .replaceAll(this.tree.root, "${ROOT}")
        .replaceAll(library, "${PYLIB}")
        .replaceAll(/\b0x[0-9a-f]{6,}/g, "0xADDR"),
    ) as T;
  }

  #row(found: FoundFlowly): Row {
    const { key, place, manifest, theirs, dir } = found;
    const host = this.#hosts.find((one) => one.found === found);
    const names = (kind: "tools" | "commands") =>
      host
        ? Object.keys(this.stateOf(host)[kind])
            .filter((name) => this.owner(kind, name) === host)
            .sort()
        : [];
    return {
      key,
      name: manifest?.name ?? "",
      version: manifest?.version ?? "",
      description: manifest?.description ?? "",
      source: place,
      kind: manifest?.kind ?? "",
      enabled: host !== undefined,
      error: theirs ?? this.#errors.get(dir) ?? null,
      tools: names("tools"),
      hooks: host ? Object.keys(this.stateOf(host).hooks).sort() : [],
      commands: names("commands"),
      web_providers: host ? this.stateOf(host).web : [],
    };
  }

  #manifest(found: FoundFlowly): Record<string, unknown> {
    const { manifest, dir, key } = found;
    if (!manifest) return {};
    const host = this.#hosts.find((one) => one.found === found);
    const slug = key.replaceAll("/", "__").replaceAll("-", "_");
    const lists = {
      requires_env: manifest.requiresEnv,
      provides_tools: manifest.providesTools,
      provides_hooks: manifest.providesHooks,
      provides_web_providers: manifest.providesWebProviders,
    };
    const module = `flowly_plugins.${slug}`;
    return {
      author: manifest.author,
      manifest_version: manifest.manifestVersion,
      path: dir,
      ...(host && this.stateOf(host).modules.includes(module) && { module }),
      ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    };
  }
}
