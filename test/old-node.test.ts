import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "..");

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-old-node-"));
  for (const name of ["package.json", "package-lock.json", ".npmrc"])
    await cp(join(root, name), join(folder, name));
  const as = 'Object.defineProperty(process, "version", { value: process.env.AS_NODE });';
  await writeFile(join(folder, "as-node.cjs"), as);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const npm = (version: string, ...args: string[]) =>
  run("npm", args, {
    cwd: folder,
    env: {
      ...process.env,
      AS_NODE: version,
      NODE_OPTIONS: `--require ${join(folder, "as-node.cjs")}`,
      npm_config_cache: join(folder, "cache"),
    },
  });

test.skipIf(process.platform === "win32")(
  "npm ci on a Node that is too old says so before it downloads anything",
  async () => {
    const refusal = await npm("v20.18.3", "ci").catch((error: { stderr: string }) => error);
    expect(refusal.stderr).toContain('">=20.19" does not match "v20.18.3"');
    expect(await readdir(folder)).not.toContain("node_modules");
    expect(await readdir(join(folder, "cache"))).toEqual(["_logs"]);
  },
);

test.skipIf(process.platform === "win32")("npm says nothing on a Node that is new enough", async () => {
  await cp(join(root, "scripts", "check-node.cjs"), join(folder, "scripts", "check-node.cjs"));
  const { stdout, stderr } = await npm("v20.19.0", "run", "--silent", "preinstall");
  expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
});

test.each([
  ["20.18.3", "Patchbay needs Node.js 20.19 or newer; you have 20.18.3.\n"],
  ["18.20.8", "Patchbay needs Node.js 20.19 or newer; you have 18.20.8.\n"],
  ["20.19.0", ""],
  ["24.0.0", ""],
])("an npm that reads no devEngines is told by its first script (%s)", async (version, said) => {
  const check = join(root, "scripts", "check-node.cjs");
  const env = { ...process.env, npm_config_user_agent: `npm/10.8.2 node/v${version} linux x64` };
  const { stderr } = await run(process.execPath, [check], { env }).catch(
    (error: { stderr: string }) => error,
  );
  expect(stderr).toBe(said);
});
