import { PatchbayError } from "../../../contract/index.ts";
import { folderOf } from "../../runtimes/artifact.ts";
import type { Brought } from "../../runtimes/mcp/import/become/brought.ts";
import { serverOfPackageIn } from "../../runtimes/mcp/server/read-server.ts";
import type { ServerFile } from "../../runtimes/mcp/server/server-file.ts";
import { writeServer } from "../../runtimes/mcp/server/write-server.ts";
import type { Step } from "../job-run.ts";
import type {
  AcquiredPackage,
  Acquisition,
  AcquisitionContext,
  KnowsBrought,
} from "../sources/acquisition.ts";
import { CopiedFolder } from "../sources/folder.ts";
import { NpmPackage } from "../sources/npm.ts";
import { withoutPackage } from "./no-package.ts";

/**
 * A server that another program has, or that was pasted: what its person set there stays behind, and comes to an agent later. A package of
 * npm is fetched at an exact version, a bundle is copied, everything else has no files but the one that says what it is.
 */
export class BroughtServer implements Acquisition {
  readonly kind = "mcp-import";
  readonly copies = true;
  readonly trust = "unverified";
  readonly #spec: string;
  readonly #context: AcquisitionContext;
  readonly #known: KnowsBrought;
  #found: { brought: Brought; inner: Acquisition | null } | null = null;

  constructor(spec: string, context: AcquisitionContext, known: KnowsBrought) {
    this.#spec = spec;
    this.#context = context;
    this.#known = known;
  }

  async resolve(step: Step): Promise<void> {
    const brought = await this.#known.of(this.#spec, step.signal);
    const inner = this.#innerOf(brought);
    this.#found = { brought, inner };
    step.log(`Found ${brought.file.title ?? brought.file.name}`);
    await inner?.resolve(step);
  }

  async download(step: Step): Promise<void> {
    await this.#found?.inner?.download(step);
  }

  async verify(step: Step): Promise<AcquiredPackage> {
    if (!this.#found) throw new PatchbayError("INTERNAL", "The server was not resolved first.");
    const { brought, inner } = this.#found;
    const { file, fetch } = brought;
    if (inner === null) return withoutPackage(file, this.#context, step);
    const acquired = await inner.verify(step);
    const dir = folderOf(acquired.artifact);
    const isPackage = fetch !== null && "npm" in fetch;
    await writeServer(dir, isPackage ? await ofPackage(dir, file) : file);
    return acquired;
  }

  #innerOf({ fetch }: Brought): Acquisition | null {
    if (fetch === null) return null;
    return "npm" in fetch
      ? new NpmPackage(fetch.npm, fetch.range, this.#context)
      : new CopiedFolder(fetch.bundle, this.#context);
  }
}

/** What was brought, with what the package says of itself. @throws PatchbayError MANIFEST_INVALID */
async function ofPackage(dir: string, file: ServerFile): Promise<ServerFile> {
  const { version, description, publisher, server } = await serverOfPackageIn(dir);
  if (file.server.type !== "node" || server.type !== "node") return file;
  const { entry } = server;
  return {
    ...file,
    version,
    description,
    ...(publisher && { publisher }),
    server: { ...file.server, entry },
  };
}
