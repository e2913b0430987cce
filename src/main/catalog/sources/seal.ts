import { type Artifact, PatchbayError } from "../../../contract/index.ts";
import { folderOf } from "../../runtimes/artifact.ts";
import { hashTree } from "../tree.ts";
import type { Acquisition } from "./acquisition.ts";
import { stateInPlace } from "./in-place.ts";

/**
 * Holds a package that was fetched to what it is while the person is asked about it: they agree to these files, and hours
 * may pass until they do. Files that stay where they are, in a folder of the person, are not held.
 */
export class Seal {
  readonly #copies: boolean;
  #treeHash: string | null = null;
  #cameAs: string | null = null;

  constructor({ copies }: Pick<Acquisition, "copies">) {
    this.#copies = copies;
  }

  /** Reads all files, as they are now. */
  async put(artifact: Artifact, signal: AbortSignal): Promise<void> {
    if (!this.#copies) {
      this.#cameAs = await stateInPlace(artifact, signal);
      return;
    }
    this.#treeHash = await hashTree(folderOf(artifact), { signal });
    this.#cameAs = this.#treeHash;
  }

  /** What tells these files from others, before their scripts ran; null where nothing does. */
  get cameAs(): string | null {
    return this.#cameAs;
  }

  /**
   * Runs what the person allowed to change the files, and holds the package to what that left.
   * @throws PatchbayError INTEGRITY_MISMATCH when they were changed before; what `build` throws
   */
  async lift(artifact: Artifact, signal: AbortSignal, build: (dir: string) => Promise<void>): Promise<void> {
    const dir = folderOf(artifact);
    this.assertFits(await hashTree(dir, { signal }));
    await build(dir);
    this.#treeHash = await hashTree(dir, { signal });
  }

  /** @throws PatchbayError INTEGRITY_MISMATCH when files with this hash are not those that were sealed */
  assertFits(treeHash: string): void {
    if (this.#treeHash === treeHash) return;
    throw new PatchbayError(
      "INTEGRITY_MISMATCH",
      "The files of the package were changed after they were shown to you, so nothing was installed.",
      {
        help: "A program on this computer writes into Patchbay's folder. Find out which before you install it again.",
        details: { expected: this.#treeHash, found: treeHash },
      },
    );
  }
}
