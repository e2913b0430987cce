import { stat } from "node:fs/promises";
import { join } from "node:path";
import { PatchbayError } from "../../../contract/index.ts";
import type { Step } from "../job-run.ts";
import { copyTree } from "../plugin-folders.ts";
import type { AcquiredPackage, Acquisition, AcquisitionContext } from "./acquisition.ts";

/** A plugin that comes with Patchbay: bundled, so that it needs nothing else. */
export class BuiltinPlugin implements Acquisition {
  readonly kind = "builtin";
  readonly copies = true;
  readonly trust = "built-in";
  readonly #key: string;
  readonly #context: AcquisitionContext;

  constructor(key: string, context: AcquisitionContext) {
    this.#key = key;
    this.#context = context;
  }

  async resolve(step: Step): Promise<void> {
    const found = await stat(this.#source).catch(() => null);
    if (!found?.isDirectory()) {
      throw new PatchbayError("PACKAGE_NOT_FOUND", `No plugin “${this.#key}” comes with Patchbay.`, {
        help: "Look at the built-in plugins in the catalogue.",
      });
    }
    step.log(`Built-in plugin ${this.#key}`);
  }

  async download(step: Step): Promise<void> {
    await copyTree(this.#source, this.#target, { signal: step.signal, onProgress: step.progress });
  }

  async verify(): Promise<AcquiredPackage> {
    return { artifact: { kind: "folder", dir: this.#target }, integrity: null, wantScripts: [] };
  }

  get #source(): string {
    return join(this.#context.builtinDir, this.#key);
  }

  get #target(): string {
    return join(this.#context.staging, "package");
  }
}
