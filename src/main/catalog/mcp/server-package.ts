import { folderOf } from "../../runtimes/artifact.ts";
import { serverOfPackageIn } from "../../runtimes/mcp/server/read-server.ts";
import { writeServer } from "../../runtimes/mcp/server/write-server.ts";
import type { Step } from "../job-run.ts";
import type { AcquiredPackage, Acquisition, AcquisitionContext } from "../sources/acquisition.ts";
import { NpmPackage } from "../sources/npm.ts";

/** A package of npm that does not say that it is an MCP server, and that the person says is one: `mcp:npm/NAME`. */
export class ServerPackage implements Acquisition {
  readonly kind = "npm";
  readonly copies = true;
  readonly trust = "unverified";
  readonly #package: NpmPackage;

  constructor(name: string, range: string, context: AcquisitionContext) {
    this.#package = new NpmPackage(name, range, context);
  }

  resolve(step: Step): Promise<void> {
    return this.#package.resolve(step);
  }

  download(step: Step): Promise<void> {
    return this.#package.download(step);
  }

  /** @throws PatchbayError MANIFEST_INVALID when the package names no program */
  async verify(step: Step): Promise<AcquiredPackage> {
    const acquired = await this.#package.verify(step);
    const dir = folderOf(acquired.artifact);
    await writeServer(dir, await serverOfPackageIn(dir));
    return acquired;
  }
}
