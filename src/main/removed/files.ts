import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import { PatchbayError, type RemovedThing } from "../../contract/index.ts";
import { isoOf } from "../base/clock.ts";
import type { Vault } from "../secrets/index.ts";
import type { AuditLog, Storage } from "../store/index.ts";

export interface FilesOptions {
  storage: Pick<Storage, "setAside">;
  vault: Pick<Vault, "redact">;
  audit: Pick<AuditLog, "record">;
}

type Found = Awaited<ReturnType<Storage["setAside"]["list"]>>[number];

/**
 * Files that were set aside because they were damaged or changed by something else. They are looked for at the start and
 * after each notice; in between the list is as it was found.
 */
export class FilesAside {
  readonly changes = new EventEmitter<{ file: [id: string] }>();
  readonly #options: FilesOptions;
  #found = new Map<string, Found>();

  constructor(options: FilesOptions) {
    this.#options = options;
  }

  list(): RemovedThing[] {
    return [...this.#found].map(([id, file]) => viewOf(id, file));
  }

  get(id: string): RemovedThing | undefined {
    const file = this.#found.get(id);
    return file && viewOf(id, file);
  }

  /** Looks for them anew. */
  async look(): Promise<void> {
    const before = this.#found;
    const now = await this.#options.storage.setAside.list();
    this.#found = new Map(now.map((file) => [idOf(file.name), file]));
    for (const id of new Set([...before.keys(), ...this.#found.keys()])) {
      if (before.has(id) !== this.#found.has(id)) this.changes.emit("file", id);
    }
  }

  /**
   * The text of a file, without stored secrets.
   * @throws PatchbayError REMOVED_NOT_FOUND; BAD_INPUT for the files of a vault, which are no text; READ_FAILED
   */
  async text(id: string): Promise<{ fileName: string; text: string }> {
    const { storage, vault } = this.#options;
    const { name, isText } = this.#known(id);
    if (!isText) throw new PatchbayError("BAD_INPUT", "The files of a vault cannot be shown.");
    const fileName = name.split("/").at(-1) ?? name;
    return { fileName, text: vault.redact(await storage.setAside.read(name)) };
  }

  /** @throws PatchbayError REMOVED_NOT_FOUND, WRITE_FAILED */
  async delete(id: string): Promise<void> {
    const { storage, audit } = this.#options;
    const { name } = this.#known(id);
    await storage.setAside.delete(name);
    audit.record({ kind: "removed.deleted", what: "file", by: "person", file: name });
    await this.look();
  }

  #known(id: string): Found {
    const file = this.#found.get(id);
    if (!file) throw new PatchbayError("REMOVED_NOT_FOUND", "Nothing of that id is kept as removed.");
    return file;
  }
}

/** The same for the same file at each start, and of another form than the ids of what was removed. */
function idOf(name: string): string {
  return `file-${createHash("sha256").update(name).digest("hex").slice(0, 12)}`;
}

function viewOf(id: string, { name, at, bytes, agentId, isText }: Found): RemovedThing {
  return {
    id,
    kind: "file",
    name,
    at: isoOf(at),
    until: null,
    bytes,
    key: null,
    version: null,
    icon: null,
    ours: false,
    agentId,
    settingsOf: [],
    plugins: 0,
    secrets: 0,
    conversations: 0,
    blocked: "file",
    readable: isText,
  };
}
