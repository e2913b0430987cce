import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The files of a package by path, its package.json aside. */
export type Files = Record<string, string>;

/** Packages that are written for one test, in folders that go with it. */
export class Packages {
  readonly #dirs: string[] = [];

  /** @param pkg what its package.json has beside name and version. Resolves with the folder */
  async write(name: string, files: Files, pkg: object = {}): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), "patchbay-package-"));
    this.#dirs.push(dir);
    const described = { name, version: "1.0.0", type: "module", main: "index.js", ...pkg };
    for (const [path, text] of Object.entries({ "package.json": JSON.stringify(described), ...files })) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    }
    return dir;
  }

  async remove(): Promise<void> {
    for (const dir of this.#dirs.splice(0)) await rm(dir, { recursive: true, force: true });
  }
}

/** The source of a module whose default export is a manifest with the key, and these further fields. */
export function manifestSource(key: string, fields: string, before = ""): string {
  return `${before}
export default { manifestVersion: 1, key: "${key}", displayName: "Probe", description: "One.", ${fields} };
`;
}

/** The source of the field `tools` of a plugin with these tools. */
export function toolsSource(namespace: string, tools: string, more = ""): string {
  return `tools: { namespace: "${namespace}", ${more} async start(config, ctx) { return { toolsets: [{ id: "one", description: "", tools: [${tools}] }], async stop() {} }; } }`;
}
