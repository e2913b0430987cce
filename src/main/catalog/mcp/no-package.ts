import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ServerFile } from "../../runtimes/mcp/server/server-file.ts";
import { writeServer } from "../../runtimes/mcp/server/write-server.ts";
import type { Step } from "../job-run.ts";
import type { AcquiredPackage, AcquisitionContext } from "../sources/acquisition.ts";

/**
 * A server without files of its own: a folder with nothing but what is known of it. What its command fetches is named there
 * in the exact version that it has now, where that can be found out.
 */
export async function withoutPackage(
  file: ServerFile,
  { staging, exactVersions }: Pick<AcquisitionContext, "staging" | "exactVersions">,
  step: Step,
): Promise<AcquiredPackage> {
  const dir = join(staging, "package");
  await mkdir(dir, { recursive: true });
  await writeServer(dir, (await exactVersions?.of(file, step.signal)) ?? file);
  return { artifact: { kind: "folder", dir }, integrity: null, wantScripts: [] };
}
