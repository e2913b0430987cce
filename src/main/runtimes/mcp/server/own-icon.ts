import { readPackageFile } from "../../package-file.ts";

const MOST_BYTES = 64 * 1024;

/**
 * The icon in a server's folder as a `data:` address; undefined where it is none that is shown: larger than 64 KB, outside of
 * the folder, or by its first bytes no PNG, JPEG or WebP. Drawings (SVG) can hold code and are never taken.
 */
export async function ownIcon(dir: string, name: string | undefined): Promise<string | undefined> {
  if (name === undefined || /^[a-z][a-z0-9+.-]*:/i.test(name)) return undefined;
  const bytes = await readPackageFile(dir, name, MOST_BYTES).catch(() => "missing" as const);
  if (typeof bytes === "string") return undefined;
  const kind = pictureKind(bytes);
  return kind === null ? undefined : `data:${kind};base64,${bytes.toString("base64")}`;
}

function pictureKind(bytes: Buffer): string | null {
  if (bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))) return "image/png";
  if (bytes.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex"))) return "image/jpeg";
  const isWebp = bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP";
  return isWebp ? "image/webp" : null;
}
