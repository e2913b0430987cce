import { copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { PatchbayError } from "../../../contract/index.ts";
import type { Step } from "../job-run.ts";
import { withoutCredentials } from "../spec/spec.ts";
import type { AcquiredPackage, Acquisition, AcquisitionContext } from "./acquisition.ts";
import { assertIntegrity } from "./archive.ts";
import { completePackage } from "./dependencies.ts";
import { npmOptions } from "./npm-configuration.ts";

/** A package file: on this machine or at an http(s) address. */
export class Tarball implements Acquisition {
  readonly kind = "tarball";
  readonly copies = true;
  readonly trust = "unverified";
  readonly #location: { file: string } | { url: string };
  readonly #context: AcquisitionContext;

  constructor(location: { file: string } | { url: string }, context: AcquisitionContext) {
    this.#location = location;
    this.#context = context;
  }

  async resolve(step: Step): Promise<void> {
    if ("url" in this.#location) return step.log(`File at ${withoutCredentials(this.#location.url)}`);
    const { file } = this.#location;
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) throw new PatchbayError("SOURCE_MISSING", `There is no file at ${file}.`);
    step.log(`File ${file}`);
  }

  async download(step: Step): Promise<void> {
    if ("file" in this.#location) return copyFile(this.#location.file, this.#archive);
    const options = await npmOptions(this.#context);
    const saved = await this.#context.fetch.call(
      { op: "download", spec: this.#location.url, to: this.#archive, options },
      step,
    );
    step.log(`Fetched ${Math.ceil(saved.bytes / 1024)} KiB`);
  }

  async verify(step: Step): Promise<AcquiredPackage> {
    const integrity = await assertIntegrity(this.#archive, null, this.#context.request, step.signal);
    step.log(`Integrity ${integrity}`);
    const dir = join(this.#context.staging, "package");
    const { isBundle, isSigned } = await this.#context.fetch.call(
      { op: "unpack", file: this.#archive, to: dir },
      step,
    );
    // A bundle brings what it needs, and has nothing run when it is installed.
    const { wantScripts } = isBundle ? { wantScripts: [] } : await completePackage(dir, this.#context, step);
    return {
      artifact: { kind: "folder", dir },
      integrity,
      ...(isSigned && { signatureUnchecked: true as const }),
      wantScripts,
    };
  }

  get #archive(): string {
    return join(this.#context.staging, "package.tgz");
  }
}
