import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { rolldown } from "rolldown";

const root = resolve(import.meta.dirname, "..");

/**
 * Optional native packages that libraries can do without. They are always left out of a bundle, so that it does not
 * depend on what happens to be installed.
 */
const nativeParts = new Set(["zlib-sync", "bufferutil", "utf-8-validate", "encoding"]);
const withoutNativeParts = {
  name: "without-native-parts",
  resolveId: (/** @type {string} */ id) => (nativeParts.has(id) ? `\0absent:${id}` : null),
  load: (/** @type {string} */ id) =>
    id.startsWith("\0absent:") ? `throw new Error("${id.slice(8)} is not part of this bundle.");` : null,
};

/**
 * Bundles one first-party plugin into a package of its own: `package.json`, `index.js`, `README.md`, what its `files`
 * name, and `patchbay.json`, in which it says what it is. The same sources give the same bytes.
 * @param {string} source folder of the plugin @param {string} target folder to write, emptied first
 */
async function buildPlugin(source, target) {
  const facts = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  const bundle = await rolldown({
    input: join(source, "src/index.ts"),
    platform: "node",
    cwd: root,
    treeshake: true,
    logLevel: "warn",
    external: (id) => id.startsWith("node:") || builtinModules.includes(id),
    plugins: [withoutNativeParts],
    // discord.js uses `eval` for sharding over several processes, which no plugin does.
    checks: { eval: false },
  });
  const { output } = await bundle.generate({
    format: "esm",
    codeSplitting: false,
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    comments: { legal: true, annotation: false, jsdoc: false },
    paths: (id) => (builtinModules.includes(id) && !id.startsWith("node:") ? `node:${id}` : id),
  });
  await bundle.close();
  const [entry, ...rest] = output;
  if (rest.length > 0)
    throw new Error(`${source} does not bundle into one file: ${rest.map((f) => f.fileName)}`);
  const foreign = [...entry.imports, ...entry.dynamicImports].filter(
    (id) => !id.startsWith("node:") && id !== entry.fileName,
  );
  if (foreign.length > 0) throw new Error(`${source} still imports ${foreign.join(", ")} after bundling.`);

  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await writeFile(join(target, "index.js"), entry.code);
  await writeFile(join(target, "package.json"), `${JSON.stringify(published(facts), null, 2)}\n`);
  for (const file of ["README.md", ...(facts.files ?? [])]) {
    await cp(join(source, file), join(target, file), { recursive: true });
  }
  // In a process of its own: a plugin may leave something open when it is imported.
  const describe = join(root, "packages/plugin-sdk/src/describe/command.ts");
  await promisify(execFile)(process.execPath, [describe, "describe", target]);
}

/** The package.json that a person installs: without the dependencies, which are in the bundle. */
function published({ name, version, description, license, keywords }) {
  return {
    name,
    version,
    description,
    license,
    keywords,
    type: "module",
    main: "index.js",
    exports: "./index.js",
  };
}

/** @param {string} out folder that gets one folder a plugin */
async function buildAll(out) {
  const folder = join(root, "plugins");
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "src/index.ts")))
    .map(({ name }) => name);
  for (const name of names.sort()) await buildPlugin(join(folder, name), join(out, name));
}

const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "out/plugins") } } });
await buildAll(resolve(values.out));
