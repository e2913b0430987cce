import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readServer, serverOfPackageIn } from "./read-server.ts";
import { type ServerFile, serverFileName } from "./server-file.ts";

/** Writes what is known of a server into its folder, where Patchbay reads it from then on. */
export async function writeServer(dir: string, file: ServerFile): Promise<void> {
  const path = join(dir, serverFileName);
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`);
  await chmod(path, 0o644);
}

/**
 * Writes what a registry says of a server into the folder of its package, which says itself which of its files is run.
 *
 * @throws PatchbayError MANIFEST_INVALID
 */
export async function writeServerOfPackage(dir: string, file: ServerFile): Promise<void> {
  if (file.server.type !== "node") return writeServer(dir, file);
  const { entry } = (await serverOfPackageIn(dir)).server as Extract<ServerFile["server"], { type: "node" }>;
  await writeServer(dir, { ...file, server: { ...file.server, entry } });
}

/**
 * Writes what a registry says of a server into the folder of its bundle: how it is started and what it asks for stands in the
 * bundle, where it comes from in the registry.
 *
 * @throws PatchbayError MANIFEST_INVALID
 */
export async function writeServerOfBundle(
  dir: string,
  { origin, publisher, name }: ServerFile,
): Promise<void> {
  const { file } = await readServer(dir);
  await writeServer(dir, { ...file, name, origin, ...(publisher && { publisher }) });
}
