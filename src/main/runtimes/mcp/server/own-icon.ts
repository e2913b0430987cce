import { pictureAddress } from "../../../base/picture.ts";
import { readPackageFile } from "../../package-file.ts";

/** Most bytes of an icon. */
export const mostIconBytes = 64 * 1024;
/** Most pixels of its sides. */
export const mostIconPixels = 2_048;

/**
 * The first of the icons in a server's folder that is shown, as a `data:` address; undefined where none is: larger than 64 KB or
 * 2,048 pixels, outside of the folder, or by its first bytes no PNG, JPEG or WebP.
 *
 * @param names of files
 */
export async function ownIcon(dir: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(name)) continue;
    const bytes = await readPackageFile(dir, name, mostIconBytes).catch(() => "missing" as const);
    const icon = typeof bytes === "string" ? undefined : pictureAddress(bytes, mostIconPixels);
    if (icon !== undefined) return icon;
  }
  return undefined;
}
