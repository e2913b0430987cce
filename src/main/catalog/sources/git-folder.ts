import { realpath, rename, rm, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { PatchbayError } from "../../../contract/index.ts";

/**
 * Makes one folder of a fetched repository the whole of it: everything else is deleted.
 * @param dir the repository's top; afterwards it holds what was in `folder`
 * @param folder its path with forward slashes
 * @throws PatchbayError GIT_FAILED when there is no such folder, UNSAFE_PACKAGE when links lead it out of the repository
 */
export async function keepFolder(
  dir: string,
  folder: string,
  asked: { repository: string; orRevision: boolean },
): Promise<void> {
  const top = await realpath(dir);
  const found = await realpath(join(dir, ...folder.split("/"))).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "ELOOP") return null;
    throw error;
  });
  if (found === null) throw noFolder(folder, asked);
  if (found === top) return;
  if (!found.startsWith(`${top}${sep}`)) {
    throw new PatchbayError(
      "UNSAFE_PACKAGE",
      `“${folder}” in the repository ${asked.repository} is a link that leads out of the repository.`,
    );
  }
  if (!(await stat(found)).isDirectory()) {
    throw new PatchbayError(
      "GIT_FAILED",
      `“${folder}” in the repository ${asked.repository} is a file. A plugin is a folder.`,
    );
  }
  const aside = `${dir}-folder`;
  await rename(found, aside);
  await rm(dir, { recursive: true, force: true });
  await rename(aside, dir);
}

function noFolder(
  folder: string,
  { repository, orRevision }: { repository: string; orRevision: boolean },
): PatchbayError {
  const message = orRevision
    ? `The repository ${repository} has no branch, tag or commit “${folder}”, and no folder of that name.`
    : `The repository ${repository} has no folder “${folder}”.`;
  return new PatchbayError("GIT_FAILED", message, {
    help: "Look in the repository how the path is written: upper and lower case count.",
  });
}
