import { z } from "zod";
import { type Approval, approvalSchema, isObject, type Problem, toProblem } from "../../contract/index.ts";
import type { Log, Storage } from "../store/index.ts";

/** How many decided questions of an agent are shown; the file keeps all. */
const shown = 500;

/** Questions of older versions have only the name of the tool on the wire. */
const storedSchema = z.preprocess(
  (row) => (isObject(row) ? { title: row.tool, ...row } : row),
  approvalSchema,
);

/** What was decided, for good: a log of each agent. Nothing is read before it is asked for. */
export class ApprovalHistory {
  readonly #storage: Pick<Storage, "log" | "agents">;
  readonly #onNotice: (problem: Problem) => void;
  readonly #files = new Map<string, Log<Approval>>();
  #closed = false;

  constructor(options: { storage: Pick<Storage, "log" | "agents">; onNotice(problem: Problem): void }) {
    this.#storage = options.storage;
    this.#onNotice = options.onNotice;
  }

  /** Adds a decided question, already without secrets. A disk that does not take it is reported; it never rejects. */
  async add(approval: Approval): Promise<void> {
    try {
      await this.#file(approval.agentId)?.append(approval);
    } catch (error) {
      this.#onNotice(toProblem(error));
    }
  }

  /** The newest of an agent, newest first. @throws PatchbayError READ_FAILED */
  async read(agentId: string): Promise<Approval[]> {
    const all = (await this.#file(agentId)?.readAll()) ?? [];
    return all.slice(-shown).reverse();
  }

  /** Lets go of an agent's file before its folder is removed. */
  async forget(agentId: string): Promise<void> {
    const file = this.#files.get(agentId);
    this.#files.delete(agentId);
    await file?.close();
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#files.keys()].map((agentId) => this.forget(agentId)));
  }

  /** Undefined for an agent that is gone: nothing may bring its folder back. */
  #file(agentId: string): Log<Approval> | undefined {
    if (this.#closed || !this.#storage.agents.has(agentId)) return undefined;
    let file = this.#files.get(agentId);
    if (!file) {
      file = this.#storage.log({ place: { kind: "approvals", agentId }, schema: storedSchema });
      this.#files.set(agentId, file);
    }
    return file;
  }
}
