import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { PatchbayError } from "../../../contract/index.ts";
import type { Step } from "../job-run.ts";
import { copyTree } from "../plugin-folders.ts";
import type { AcquiredPackage, Acquisition, AcquisitionContext } from "./acquisition.ts";
import { completePackage } from "./dependencies.ts";
import { notOfPlugin } from "./in-place.ts";
import { notNeeded } from "./not-needed.ts";

/** A folder of the person, copied as it is now. */
export class CopiedFolder implements Acquisition {
  readonly kind = "folder";
  readonly copies = true;
  readonly trust = "local";
  readonly #path: string;
  readonly #context: AcquisitionContext;

  constructor(path: string, context: AcquisitionContext) {
    this.#path = path;
    this.#context = context;
  }

  async resolve(step: Step): Promise<void> {
    await assertFolder(this.#path);
    step.log(`Folder ${this.#path}`);
  }

  async download(step: Step): Promise<void> {
    const entries = await copyTree(this.#path, this.#target, {
      ignore: [...notOfPlugin, ...(await notNeeded(this.#path))],
      signal: step.signal,
      onProgress: step.progress,
    });
    step.log(`Copied ${entries.filter((entry) => entry.kind === "file").length} files`);
  }

  async verify(step: Step): Promise<AcquiredPackage> {
    const { wantScripts } = await completePackage(this.#target, this.#context, step);
    const artifact = { kind: "folder", dir: this.#target, name: basename(this.#path) } as const;
    return { artifact, integrity: null, wantScripts };
  }

  get #target(): string {
    return join(this.#context.staging, "package");
  }
}

/** A folder of the person, used where it lies: a change of its files changes the plugin. */
export class LinkedFolder implements Acquisition {
  readonly kind = "link";
  readonly copies = false;
  readonly trust = "local";
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async resolve(step: Step): Promise<void> {
    await assertFolder(this.#path);
    step.log(`Folder ${this.#path}, used in place`);
  }

  async download(): Promise<void> {}

  async verify(): Promise<AcquiredPackage> {
    return { artifact: { kind: "folder", dir: this.#path }, integrity: null, wantScripts: [] };
  }
}

async function assertFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new PatchbayError("SOURCE_MISSING", `There is no folder at ${path}.`);
  if (!found.isDirectory()) {
    throw new PatchbayError("SOURCE_MISSING", `${path} is a file, not a folder.`, {
      help: "Give the folder that holds the plugin, or a .tgz file.",
    });
  }
}
