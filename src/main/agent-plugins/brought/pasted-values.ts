import { z } from "zod";
import type { Plugin } from "../../../contract/index.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import type { BroughtServers } from "../../runtimes/mcp/import/brought-servers.ts";
import type { Vault } from "../../secrets/index.ts";

/** By the id of a plugin: what was pasted with it, by the names of its settings. */
const keptSchema = z.record(z.string(), z.record(z.string(), z.unknown()));
type Kept = z.infer<typeof keptSchema>;

const NAME = "patchbay:pasted";

export interface PastedValuesNeeds {
  brought: Pick<BroughtServers, "pasted">;
  vault: Pick<Vault, "ownValue" | "setOwnValue">;
}

/**
 * What was pasted for a server that is installed and that no agent has yet. It lies in the vault, where no setting and no plugin
 * can name it, so that a start of Patchbay in between loses nothing; an agent that gets the server takes it from there.
 */
export class PastedValues {
  readonly #needs: PastedValuesNeeds;
  readonly #queue = new SerialQueue();

  constructor(needs: PastedValuesNeeds) {
    this.#needs = needs;
  }

  /** Called once the server is installed. @throws PatchbayError VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  async keep({ id, source }: Plugin): Promise<void> {
    const values = this.#needs.brought.pasted(source.spec);
    if (values === null || values.size === 0) return;
    await this.#change((all) => ({ ...all, [id]: Object.fromEntries(values) }));
  }

  /** Undefined: nothing is kept for it. @throws PatchbayError VAULT_CLOSED */
  of({ id }: Plugin): ReadonlyMap<string, unknown> | undefined {
    const values = this.#all()[id];
    return values && new Map(Object.entries(values));
  }

  /** Called once an agent has it, or the server is gone. Throws as `keep` does. */
  async forget({ id }: Plugin): Promise<void> {
    if (this.#all()[id] !== undefined) await this.#change(({ [id]: _gone, ...others }) => others);
  }

  #change(change: (all: Kept) => Kept): Promise<void> {
    return this.#queue.run(() => this.#needs.vault.setOwnValue(NAME, JSON.stringify(change(this.#all()))));
  }

  #all(): Kept {
    const stored = this.#needs.vault.ownValue(NAME);
    return stored === undefined ? {} : keptSchema.parse(JSON.parse(stored));
  }
}
