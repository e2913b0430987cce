import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";

/**
 * The real path of something inside the workspace, links resolved. For a file that is not there yet, its nearest
 * existing folder is resolved, so that no link leads out.
 * @throws PatchbayError TOOL_FAILED when it is outside or the workspace is missing
 */
export async function insideWorkspace(workspace: string, path: string): Promise<string> {
  if (path.includes("\0"))
    throw new PatchbayError("TOOL_FAILED", "The path holds a character that no file name may have.");
  const root = await realpath(workspace).catch(() => {
    throw new PatchbayError("TOOL_FAILED", `The workspace folder ${workspace} is not there.`, {
      help: "Choose another workspace folder for the agent.",
    });
  });
  const target = await realOrFuture(isAbsolute(path) ? path : resolve(root, path));
  const inside = relative(root, target);
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new PatchbayError("TOOL_FAILED", `${path} is outside of the workspace.`, {
      help: "Tools may only touch files of the agent's workspace folder.",
    });
  }
  return target;
}

async function realOrFuture(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
    return join(await realOrFuture(dirname(path)), basename(path));
  }
}
