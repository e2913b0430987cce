import { createWriteStream } from "node:fs";
import { mkdir, open, rm, stat, truncate } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { PatchbayError } from "../../../contract/errors.ts";

const mostBytes = 512 * 1024 ** 2;
const mostEntries = 100_000;
/** Marks of a signature behind a bundle, which is no part of the archive. */
const signatureBegin = Buffer.from("MCPB_SIG_V1");
const signatureEnd = Buffer.from("MCPB_SIG_END");
/** Most bytes of such a signature. */
const mostSignature = 256 * 1024;

/** Whether a file is a zip archive, by its first bytes. */
export async function isZip(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.readUInt32LE(0) === 0x04034b50;
  } finally {
    await handle.close();
  }
}

/**
 * Unpacks a bundle into `to`, with whether files may be executed. A signature behind the archive is cut off and not checked:
 * readers of archives stumble over it. `isSigned`: there was one.
 *
 * @throws PatchbayError UNSAFE_PACKAGE for paths that lead outside, links, special files and unreasonable sizes;
 * ARCHIVE_DAMAGED
 */
export async function unzip({
  file,
  to,
}: {
  file: string;
  to: string;
}): Promise<{ files: number; isSigned: boolean }> {
  await mkdir(to, { recursive: true });
  const isSigned = await cutSignature(file);
  const zip = await openPromise(file, { decodeStrings: false, autoClose: false }).catch(damaged);
  try {
    const entries = await listed(zip);
    for (const { entry, name } of entries) await place(zip, entry, join(to, name));
    const files = entries.filter(({ name }) => !name.endsWith("/")).length;
    if (files === 0) damaged("it holds no files");
    return { files, isSigned };
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    if (error instanceof PatchbayError) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") throw error;
    return damaged(error);
  } finally {
    zip.close();
  }
}

/** What is in it. All of it is judged before anything is written. */
async function listed(zip: ZipFile): Promise<{ entry: Entry; name: string }[]> {
  const seen = { entries: 0, bytes: 0 };
  const entries: { entry: Entry; name: string }[] = [];
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    refuse(entry, name, seen);
    entries.push({ entry, name });
  }
  return entries;
}

async function place(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  if (path.endsWith("/")) {
    await mkdir(path, { recursive: true });
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  const isProgram = ((entry.externalFileAttributes >>> 16) & 0o100) !== 0;
  const content = await zip.openReadStreamPromise(entry);
  // A name that stands in it twice would write over what was there.
  await pipeline(content, createWriteStream(path, { mode: isProgram ? 0o755 : 0o644, flags: "wx" }));
}

/** The library gives names as bytes, so that what is wrong with them is said by us. */
function nameOf({ fileName }: Entry): string {
  return Buffer.from(fileName as string | Uint8Array as Uint8Array).toString("utf8");
}

function refuse(
  { uncompressedSize, externalFileAttributes }: Entry,
  path: string,
  seen: { entries: number; bytes: number },
): void {
  seen.entries += 1;
  seen.bytes += uncompressedSize;
  if (seen.bytes > mostBytes || seen.entries > mostEntries)
    throw unsafe("The package is unreasonably large.");
  if (posix.isAbsolute(path) || /^[a-zA-Z]:/.test(path) || path.split(/[/\\]/).includes(".."))
    throw unsafe(`“${path}” in the package leads out of its folder.`);
  if (path.includes("\\") || path.includes("\0")) throw unsafe(`“${path}” in the package is no usable name.`);
  // The kind of file as Unix has it; bundles made elsewhere have none.
  const kind = (externalFileAttributes >>> 28) & 0xf;
  if (kind === 0xa) throw unsafe(`“${path}” in the package is a link, which a bundle cannot hold.`);
  if (![0, 0x4, 0x8].includes(kind)) throw unsafe(`“${path}” in the package is a special file.`);
}

/** Whether there was one. */
async function cutSignature(file: string): Promise<boolean> {
  const { size } = await stat(file);
  const length = Math.min(size, mostSignature);
  const handle = await open(file, "r");
  let tail: Buffer;
  try {
    tail = (await handle.read(Buffer.alloc(length), 0, length, size - length)).buffer;
  } finally {
    await handle.close();
  }
  if (!tail.subarray(-signatureEnd.length).equals(signatureEnd)) return false;
  const begin = tail.lastIndexOf(signatureBegin);
  if (begin === -1) return false;
  await truncate(file, size - length + begin);
  return true;
}

function unsafe(message: string): PatchbayError {
  return new PatchbayError("UNSAFE_PACKAGE", message);
}

function damaged(reason: unknown): never {
  throw new PatchbayError("ARCHIVE_DAMAGED", "The package file is damaged or cut short.", {
    details: { reason: reason instanceof Error ? reason.message : String(reason) },
  });
}
