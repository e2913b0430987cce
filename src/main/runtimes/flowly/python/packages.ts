import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import { KeyedQueue } from "../../../base/serial-queue.ts";
import { buildPackages, minorOf, sitePackages } from "./build-packages.ts";
import type { PythonForHosts, Pythons } from "./pythons.ts";
import { asksFor, isPlainPackage, requirementsOf } from "./requirements.ts";

interface PackagesOptions {
  pythons: Pick<Pythons, "pick">;
  /** Patchbay's own folder. */
  root: string;
  env?: NodeJS.ProcessEnv;
}

/** What a plugin's process sees of packages. */
export interface PluginPackages {
  /** Folders with packages, its own first. */
  site: string[];
  /** What a wall has to show besides the Python itself. */
  read: string[];
  /** Lines of its requirements.txt, and packages that were added, that nobody has installed for it. */
  lacking: string[];
  /** The same, where that was done. */
  installed: string[];
}

/** Virtual environments of one plugin and one version of Python that are kept; an update may go back to the one before. */
const MOST_KEPT = 3;

/**
 * The packages of plugins: for each plugin and minor version of Python a virtual environment for each list of packages. It is
 * made in a place of its own and renamed when it is whole; nothing is installed into one that is there.
 */
export class Packages {
  readonly #options: PackagesOptions;
  readonly #folder: string;
  readonly #queue = new KeyedQueue();

  constructor(options: PackagesOptions) {
    this.#options = options;
    this.#folder = join(options.root, "python", "packages");
  }

  /** What a start of the plugin gets. @param dir folder of the plugin, whose requirements.txt counts */
  async of(
    key: string,
    dir: string,
    python: Pick<PythonForHosts, "version" | "site">,
  ): Promise<PluginPackages> {
    const wanted = [...(await requirementsOf(dir)), ...(await this.#added(key))];
    if (wanted.length === 0) return { site: python.site, read: [], lacking: [], installed: [] };
    const own = this.#place(key, python.version, wanted);
    if (!(await isThere(own))) return { site: python.site, read: [], lacking: wanted, installed: [] };
    return {
      site: [sitePackages(own, python.version), ...python.site],
      read: [own],
      lacking: [],
      installed: wanted,
    };
  }

  /**
   * Installs what the plugin's requirements.txt names, and further packages, which are remembered for later versions of the
   * plugin. Does nothing when all of that is there.
   * @param added names alone; those that the file names are left to it
   * @throws PatchbayError BAD_INPUT, PYTHON_MISSING, PYTHON_TOO_OLD, SCRIPT_FAILED, PACKAGE_NOT_FOUND, REGISTRY_UNREACHABLE
   */
  async install(
    key: string,
    dir: string,
    added: readonly string[],
    told: { signal: AbortSignal; log(text: string): void },
  ): Promise<void> {
    const odd = added.find((name) => !isPlainPackage(name));
    if (odd !== undefined) throw new PatchbayError("BAD_INPUT", `“${odd}” is no name of a Python package.`);
    await this.#queue.run(key, () => this.#install(key, dir, added, told));
  }

  /**
   * Installs what the person was shown: lines of the plugin's requirements.txt, and names of packages.
   * @throws PatchbayError as {@link install}; STALE_REVISION when the file asks for something that they did not see
   */
  async installShown(
    key: string,
    dir: string,
    shown: readonly string[],
    told: { signal: AbortSignal; log(text: string): void },
  ): Promise<void> {
    const { lacking } = await this.of(key, dir, await this.#options.pythons.pick());
    const unseen = lacking.find((line) => !shown.includes(line));
    if (unseen !== undefined)
      throw new PatchbayError("STALE_REVISION", `The plugin asks for “${unseen}” as well by now.`, {
        help: "Start the plugin again, and look at what it asks for.",
      });
    const lines = await requirementsOf(dir);
    const added = shown.filter((each) => !lines.includes(each));
    await this.install(key, dir, added, told);
  }

  /** Removes everything that was installed for the plugin. */
  async remove(key: string): Promise<void> {
    await this.#queue.run(key, () => rm(join(this.#folder, key), { recursive: true, force: true }));
  }

  async #install(
    key: string,
    dir: string,
    more: readonly string[],
    told: { signal: AbortSignal; log(text: string): void },
  ): Promise<void> {
    const { pythons, root, env = process.env } = this.#options;
    const requirements = await requirementsOf(dir);
    const named = (name: string) => requirements.some((line) => asksFor(line, name));
    const added = [...new Set([...(await this.#added(key)), ...more])].filter((name) => !named(name)).sort();
    const wanted = [...requirements, ...added];
    if (wanted.length === 0) return;
    const python = await pythons.pick();
    const place = this.#place(key, python.version, wanted);
    if (await isThere(place)) {
      await utimes(place, new Date(), new Date());
    } else {
      const to = join(this.#folder, key, `.new-${randomUUID()}`);
      await mkdir(to, { recursive: true });
      try {
        const needs = { python, dir, requirements: requirements.length > 0, added, to, root, env };
        await buildPackages(needs, told);
        await rename(to, place);
      } finally {
        await rm(to, { recursive: true, force: true });
      }
    }
    await writeFile(this.#addedFile(key), JSON.stringify(added));
    await this.#tidy(key, place);
  }

  #place(key: string, version: string, wanted: readonly string[]): string {
    const list = createHash("sha256").update(wanted.join("\n")).digest("hex").slice(0, 12);
    return join(this.#folder, key, `${minorOf(version)}-${list}`);
  }

  #addedFile(key: string): string {
    return join(this.#folder, key, "added.json");
  }

  async #added(key: string): Promise<string[]> {
    try {
      const names: unknown = JSON.parse(await readFile(this.#addedFile(key), "utf8"));
      return Array.isArray(names)
        ? names.filter((name) => typeof name === "string" && isPlainPackage(name))
        : [];
    } catch {
      return [];
    }
  }

  /** Removes the oldest ones of the same version of Python, and what a crash left. */
  async #tidy(key: string, newest: string): Promise<void> {
    const folder = join(this.#folder, key);
    const names = await readdir(folder);
    const minor = (name: string) => name.slice(0, name.lastIndexOf("-"));
    const ages: { name: string; at: number }[] = [];
    for (const name of names) {
      if (name.startsWith(".new-")) await rm(join(folder, name), { recursive: true, force: true });
      else if (join(folder, minor(name)) === minor(newest))
        ages.push({ name, at: (await stat(join(folder, name))).mtimeMs });
    }
    ages.sort((one, other) => other.at - one.at);
    for (const { name } of ages.slice(MOST_KEPT))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
