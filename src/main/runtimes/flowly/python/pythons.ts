import { existsSync } from "node:fs";
import { join } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import { LoginPath } from "../../../platform/login-path.ts";
import type { PythonFacts } from "./ask.ts";
import { HostFiles } from "./host-files.ts";
import { howToInstall } from "./how-to-install.ts";
import { type FoundInterpreter, findFirst, findInterpreters, type Interpreter } from "./interpreters.ts";
import { shownFor, siteFolders } from "./shown.ts";

interface PythonsOptions {
  settings: { get(): { python: string | null } };
  /** Patchbay's own folder. */
  root: string;
  /** The folder in which `flowly-host` lies. */
  resourcesDir: string;
  env?: NodeJS.ProcessEnv;
  loginPath?: Pick<LoginPath, "get">;
}

/** A Python with what a host of it is started with. */
export interface PythonForHosts {
  file: string;
  /** Such as `3.11.7`. */
  version: string;
  /** What comes before the path of the program. No bytecode is written and no packages are looked for: see `site`. */
  args: string[];
  /** The host's program, compiled beforehand for this Python. */
  main: string;
  /** Folders with the packages that this Python has itself; behind those of a plugin's virtual environment. */
  site: string[];
  /** Folders and files that a wall has to show so that it runs. */
  read: string[];
}

/** The Pythons of this machine, and which of them plugins run with. */
export class Pythons {
  readonly #options: PythonsOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #path: Pick<LoginPath, "get">;
  readonly #hostFiles: HostFiles;
  #first: { chosen: string | null; one: Promise<FoundInterpreter | null> } | undefined;
  #found: { chosen: string | null; all: Promise<FoundInterpreter[]> } | undefined;

  constructor(options: PythonsOptions) {
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#path = options.loginPath ?? new LoginPath(this.#env);
    const host = join(options.resourcesDir, "flowly-host");
    this.#hostFiles = new HostFiles(host, join(options.root, "python", "host"));
  }

  /** All that were found, the chosen one first. They are asked once; `anew` asks again. */
  async list(anew = false): Promise<Interpreter[]> {
    if (anew) this.#first = undefined;
    const all = await this.#all(anew);
    return all.map(({ facts: _, ...interpreter }) => interpreter);
  }

  /** The one that plugins run with: what the person chose, else the first one that is usable. Null: there is none. */
  async used(): Promise<Interpreter | null> {
    return usedOf(await this.#all(), this.#options.settings.get().python);
  }

  /**
   * What the host of a plugin is started with.
   * @throws PatchbayError PYTHON_MISSING, PYTHON_TOO_OLD; DISK_FULL and the like when the host's files cannot be copied
   */
  async pick(): Promise<PythonForHosts> {
    const python = await this.#usable();
    const { path: file, version, facts } = python;
    const dir = await this.#hostFiles.readyFor(file, this.#env);
    return {
      file,
      version,
      args: ["-E", "-s", "-S", "-B", "-u", "-X", "utf8"],
      main: join(dir, "main.py"),
      site: siteFolders(facts),
      read: [...shownFor(file, facts), dir],
    };
  }

  async #usable(): Promise<FoundInterpreter & { facts: PythonFacts }> {
    const { python: chosen } = this.#options.settings.get();
    const first = await this.#firstOne();
    if (first !== null && existsSync(first.path)) return first;
    // It may have been installed, or replaced by another version, since.
    this.#first = undefined;
    const all = await this.#all(true);
    const used = usedOf(all, chosen);
    if (used?.usable && used.facts !== null) return { ...used, facts: used.facts };
    throw whyNone(all, chosen);
  }

  /** A plugin that starts does not wait until every Python of this machine was asked. */
  async #firstOne() {
    const { python: chosen } = this.#options.settings.get();
    if (this.#first?.chosen !== chosen) {
      const one = this.#path.get().then((path) => findFirst(this.#env, chosen, path));
      this.#first = { chosen, one };
      this.#found = undefined;
    }
    const found = await this.#first?.one;
    return found?.facts ? { ...found, facts: found.facts } : null;
  }

  #all(anew = false): Promise<FoundInterpreter[]> {
    const { python: chosen } = this.#options.settings.get();
    if (this.#found && this.#found.chosen === chosen && !anew) return this.#found.all;
    const all = this.#path.get().then((path) => findInterpreters(this.#env, chosen, path));
    this.#found = { chosen, all };
    return all;
  }
}

/** What the person chose counts also when it cannot be used: another one would be a surprise. */
function usedOf(all: readonly FoundInterpreter[], chosen: string | null): FoundInterpreter | null {
  if (chosen !== null) return all[0] ?? null;
  return all.find(({ usable }) => usable) ?? null;
}

function whyNone(all: readonly FoundInterpreter[], chosen: string | null): PatchbayError {
  const first = all[0];
  if (first?.why === "old") {
    const message = `Python ${first.version} (${first.path}) is older than 3.9, which plugins need.`;
    const details = { version: first.version, file: first.path };
    return new PatchbayError("PYTHON_TOO_OLD", message, {
      ...(chosen === null && { help: howToInstall() }),
      details,
    });
  }
  if (chosen !== null)
    return new PatchbayError("PYTHON_MISSING", `${chosen} is no Python that runs.`, {
      help: "Choose another one under Settings, Python.",
      details: { file: chosen },
    });
  return new PatchbayError("PYTHON_MISSING", "No Python was found on this machine.", {
    help: howToInstall(),
  });
}
