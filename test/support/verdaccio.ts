import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pacote from "pacote";
import ssri from "ssri";
import { stringify } from "yaml";

/** A real npm registry of its own, on a random port, empty, knowing no other registry. */
export interface TestRegistry extends AsyncDisposable {
  /** With a slash at its end. */
  readonly url: string;
  /** Where the published archives lie: `<storage>/<name>/<name>-<version>.tgz`. */
  readonly storage: string;
  /** Packs and publishes the package in a folder. */
  publish(dir: string): Promise<void>;
  close(): Promise<void>;
}

export async function startVerdaccio(): Promise<TestRegistry> {
  const root = await mkdtemp(join(tmpdir(), "patchbay-verdaccio-"));
  const storage = join(root, "storage");
  await mkdir(storage);
  const config = join(root, "config.yaml");
  await writeFile(config, stringify(configuration(root, storage)));
  const server = await start(config);
  const url = `http://127.0.0.1:${server.port}/`;
  const close = async () => {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  };
  return { url, storage, publish: (dir) => publish(url, dir), close, [Symbol.asyncDispose]: close };
}

function configuration(root: string, storage: string) {
  return {
    storage,
    auth: { htpasswd: { file: join(root, "htpasswd"), max_users: 10 } },
    uplinks: {},
    packages: {
      "@*/*": { access: "$all", publish: "$all" },
      "**": { access: "$all", publish: "$all" },
    },
    publish: { allow_offline: true },
    web: { enable: false },
    log: { type: "stdout", format: "json", level: "error" },
    max_body_size: "100mb",
    userRateLimit: { windowMs: 1_000, max: 100_000 },
  };
}

/** Verdaccio is a thousand files, so that it starts in half the time when Node need not compile them. */
const NODE_COMPILE_CACHE = resolve(import.meta.dirname, "../../node_modules/.cache/compiled");

/** Starts Verdaccio in a process of its own, which sends its port in a message. */
async function start(config: string): Promise<{ port: number; stop(): Promise<void> }> {
  const child = fork(new URL("./verdaccio-process.mjs", import.meta.url), [config], {
    silent: true,
    env: { PATH: process.env.PATH ?? "", HOME: tmpdir(), TZ: "UTC", NODE_COMPILE_CACHE },
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => output.push(chunk.toString("utf8")));
  }
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("exit", (code) => reject(new Error(`verdaccio ended with ${code}: ${output.join("")}`)));
  });
  return {
    port,
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Publishes a package as `npm publish` does, with the archive that `npm pack` makes. */
async function publish(registry: string, dir: string): Promise<void> {
  const file = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
  const archive = await packFolder(dir);
  const archiveName = `${file.name}-${file.version}.tgz`;
  const manifest = {
    ...file,
    _id: `${file.name}@${file.version}`,
    dist: {
      integrity: ssri.fromData(archive).toString(),
      shasum: createHash("sha1").update(archive).digest("hex"),
      tarball: `${registry}${file.name}/-/${archiveName}`,
    },
  };
  const response = await fetch(`${registry}${file.name.replace("/", "%2f")}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      _id: file.name,
      name: file.name,
      description: file.description ?? "",
      "dist-tags": { latest: file.version },
      versions: { [file.version]: manifest },
      access: "public",
      _attachments: {
        [archiveName]: {
          content_type: "application/octet-stream",
          data: archive.toString("base64"),
          length: archive.length,
        },
      },
    }),
  });
  if (!response.ok)
    throw new Error(`publishing ${archiveName} failed: ${response.status} ${await response.text()}`);
  await response.body?.cancel();
}

/** The archive of a package folder, as `npm pack` makes it. */
export async function packFolder(dir: string): Promise<Buffer> {
  const { default: Arborist } = await import("@npmcli/arborist");
  return pacote.tarball(`file:${dir}`, { Arborist, ignoreScripts: true } as Parameters<
    typeof pacote.tarball
  >[1]);
}
