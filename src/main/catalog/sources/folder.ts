import { copyFile, mkdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Artifact, PatchbayError } from "../../../contract/index.ts";
import type { Step } from "../job-run.ts";
import { copyTree } from "../plugin-folders.ts";
import type { AcquiredPackage, Acquisition, AcquisitionContext } from "./acquisition.ts";
import { completePackage } from "./dependencies.ts";
import { notOfPlugin } from "./in-place.ts";
import { notNeeded } from "./not-needed.ts";

/** A folder or a single file of the person, copied as it is now. */
export class CopiedFolder implements Acquisition {
  readonly kind = "folder";
  readonly copies = true;
  readonly trust = "local";
  readonly #path: string;
  readonly #context: AcquisitionContext;
  #isFile = false;

  constructor(path: string, context: AcquisitionContext) {
    this.#path = path;
    this.#context = context;
  }

  async resolve(step: Step): Promise<void> {
    this.#isFile = (await kindOf(this.#path, this.#context)) === "file";
    step.log(`${this.#isFile ? "File" : "Folder"} ${this.#path}`);
  }

  async download(step: Step): Promise<void> {
    if (this.#isFile) {
      await mkdir(this.#target, { recursive: true });
      await copyFile(this.#path, join(this.#target, basename(this.#path)));
      step.log("Copied 1 file");
      return;
    }
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

/** A folder or a single file of the person, used where it lies: a change of its files changes the plugin. */
export class LinkedFolder implements Acquisition {
  readonly kind = "link";
  readonly copies = false;
  readonly trust = "local";
  readonly #path: string;
  readonly #context: Pick<AcquisitionContext, "runtimes">;
  #isFile = false;

  constructor(path: string, context: Pick<AcquisitionContext, "runtimes">) {
    this.#path = path;
    this.#context = context;
  }

  async resolve(step: Step): Promise<void> {
    this.#isFile = (await kindOf(this.#path, this.#context)) === "file";
    step.log(`${this.#isFile ? "File" : "Folder"} ${this.#path}, used in place`);
  }

  async download(): Promise<void> {}

  async verify(): Promise<AcquiredPackage> {
    const file = basename(this.#path);
    const artifact: Artifact = this.#isFile
      ? { kind: "folder", dir: dirname(this.#path), name: file, file }
      : { kind: "folder", dir: this.#path };
    return { artifact, integrity: null, wantScripts: [] };
  }
}

/** @throws PatchbayError SOURCE_MISSING for what is neither a folder nor a file that is a plugin by itself */
async function kindOf(
  path: string,
  { runtimes }: Pick<AcquisitionContext, "runtimes">,
): Promise<"folder" | "file"> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new PatchbayError("SOURCE_MISSING", `There is no folder at ${path}.`);
  const isPlugin = runtimes.some(({ fileEnding }) => fileEnding !== undefined && path.endsWith(fileEnding));
  if (found.isFile() && isPlugin) return "file";
  if (!found.isDirectory()) {
    throw new PatchbayError("SOURCE_MISSING", `${path} is a file, not a folder.`, {
      help: "Give the folder that holds the plugin, or a .tgz file.",
    });
  }
  return "folder";
}
