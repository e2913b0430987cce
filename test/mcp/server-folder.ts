import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";

const bundles = new Map<string, Promise<string>>();

/** The code of a test server in one file, as servers in bundles bring it: a walled program sees nothing of this checkout. */
export function codeOf(name: string): Promise<string> {
  const known = bundles.get(name) ?? bundle(name);
  bundles.set(name, known);
  return known;
}

async function bundle(name: string): Promise<string> {
  const build = await rolldown({ input: join("test/mcp/servers", `${name}.ts`), platform: "node" });
  const { output } = await build.generate({ format: "esm", codeSplitting: false });
  await build.close();
  return output[0].code;
}

/** Writes a plugin's folder with one of the test servers in it. */
export async function serverFolder(
  dir: string,
  name:
    | "legacy"
    | "modern"
    | "raw"
    | "crooked"
    | "changing"
    | "asks-legacy"
    | "asks-modern"
    | "asks-raw"
    | "shelf-legacy"
    | "shelf-modern"
    | "shelf-raw",
  more: { key: string; args?: string[]; file?: Record<string, unknown> },
): Promise<string> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "server.mjs"), await codeOf(name));
  const file = {
    schema: 1,
    name: `example/${more.key}`,
    title: more.key,
    version: "1.0.0",
    description: "A server of the tests.",
    origin: { kind: "manual" },
    server: { type: "node", entry: "server.mjs", args: more.args ?? [], env: {}, cwd: "workspace" },
    ...more.file,
  };
  await writeFile(join(dir, "patchbay-mcp.json"), JSON.stringify(file));
  return dir;
}

/** Writes a plugin's folder that describes a server at an address. */
export async function addressFolder(dir: string, name: string, url: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  const file = { schema: 1, name, origin: { kind: "manual" }, server: { type: "remote", url } };
  await writeFile(join(dir, "patchbay-mcp.json"), JSON.stringify(file));
  return dir;
}
