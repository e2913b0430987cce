import { PatchbayError, type Plugin } from "../../../contract/index.ts";
import { pictureAddress } from "../../base/picture.ts";
import { mostScreenshotBytes, mostScreenshotPixels } from "../../runtimes/mcp/server/about.ts";
import { readPackageFile } from "../../runtimes/package-file.ts";

/**
 * A picture of the plugin in its own folder, as a `data:` address. It is judged again: the folder may be a linked one.
 *
 * @param number its place among those that the plugin declares, from 0
 * @throws PatchbayError SOURCE_MISSING
 */
export async function screenshotOf(plugin: Plugin | undefined, number: number): Promise<string> {
  const name = plugin?.declaration.about?.screenshots?.[number];
  const dir = plugin?.artifact.kind === "folder" ? plugin.artifact.dir : undefined;
  if (name !== undefined && dir !== undefined) {
    const bytes = await readPackageFile(dir, name, mostScreenshotBytes).catch(() => "missing" as const);
    const picture = typeof bytes === "string" ? undefined : pictureAddress(bytes, mostScreenshotPixels);
    if (picture !== undefined) return picture;
  }
  throw new PatchbayError("SOURCE_MISSING", "The plugin has no such picture.");
}
