import { existsSync, readdirSync, renameSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import type { Removable, RemovedRooms } from "../../removed-rooms.ts";
import type { Fence } from "../fence.ts";
import { ensurePrivateFolder, systemCode, writeError } from "../files.ts";
import { filesBelow } from "../files-below.ts";
import { removeStateFile } from "../good-copies.ts";
import type { FileLayout } from "../layout.ts";

/** Begins the names of conversations; no id of an agent has such a line in it. */
const TALK = "talk_";

/** Folders below `removed`: the whole folder of an agent, moved by one rename, or the files of a conversation. */
export class RemovedFolders implements RemovedRooms {
  readonly #layout: FileLayout;
  readonly #fence: Fence;

  constructor(layout: FileLayout, fence: Fence) {
    this.#layout = layout;
    this.#fence = fence;
  }

  nameFor({ agentId, sessionId }: Removable, at: number): string {
    const stamp = new Date(at).toISOString().replaceAll(/[:.]/g, "-");
    return sessionId === undefined ? `${agentId}-${stamp}` : `${TALK}${sessionId}-${stamp}`;
  }

  async list(): Promise<string[]> {
    return namesIn(this.#layout.removed);
  }

  has(room: string): boolean {
    const folder = this.#layout.removedRoom(room);
    if (!existsSync(folder)) return false;
    return !room.startsWith(TALK) || readdirSync(folder).some(isMain);
  }

  async take(room: string, { agentId, sessionId }: Removable): Promise<void> {
    this.#fence.look();
    const target = this.#layout.removedRoom(room);
    ensurePrivateFolder(this.#layout.removed);
    if (sessionId === undefined) return move(this.#layout.agent(agentId), target);
    ensurePrivateFolder(target);
    const { folder, names } = await this.#filesOf({ agentId, sessionId });
    for (const name of mainFirst(names)) move(join(folder, name), join(target, name));
  }

  async putBack(room: string, { agentId, sessionId }: Removable): Promise<void> {
    this.#fence.look();
    const source = this.#layout.removedRoom(room);
    if (sessionId === undefined) return this.#putAgentBack(source, agentId);
    const { folder, prefix } = this.#layout.session(agentId, sessionId);
    const main = `${prefix}jsonl`;
    if (existsSync(join(folder, main))) {
      if (!existsSync(join(source, main))) return remove(source);
      throw new PatchbayError("SESSION_EXISTS", "There is another conversation with the same id now.");
    }
    ensurePrivateFolder(folder);
    // What lists conversations sees it with the last of its files.
    for (const name of mainFirst(await namesIn(source)).reverse()) {
      move(join(source, name), join(folder, name));
    }
    await remove(source);
  }

  async delete(room: string): Promise<void> {
    this.#fence.look();
    await remove(this.#layout.removedRoom(room));
  }

  bytes(room: string): Promise<number> {
    return this.bytesBelow(this.#layout.removedRoom(room));
  }

  async bytesBelow(folder: string): Promise<number> {
    let bytes = 0;
    for await (const file of filesBelow(folder)) bytes += file.bytes;
    return bytes;
  }

  async sessions(room: string): Promise<number> {
    const names = await namesIn(join(this.#layout.removedRoom(room), "sessions"));
    return this.#layout.sessionIds(names).length;
  }

  /**
   * Its old row is left out: the list of rows would take it for one that somebody put back. The caller writes it anew.
   */
  #putAgentBack(source: string, agentId: string): void {
    const folder = this.#layout.agent(agentId);
    if (existsSync(folder)) {
      if (!existsSync(source)) return;
      throw new PatchbayError("AGENT_EXISTS", `There is an agent "${agentId}" now.`);
    }
    removeStateFile(join(source, "agent.json"));
    ensurePrivateFolder(this.#layout.agents);
    move(source, folder);
  }

  async #filesOf({ agentId, sessionId }: Required<Removable>): Promise<{ folder: string; names: string[] }> {
    const { folder, prefix } = this.#layout.session(agentId, sessionId ?? "");
    return { folder, names: (await namesIn(folder)).filter((name) => name.startsWith(prefix)) };
  }
}

function isMain(name: string): boolean {
  return /^[^.]+\.jsonl$/.test(name);
}

/** The lines of a conversation first: without them it is in no list. */
function mainFirst(names: readonly string[]): string[] {
  return [...names.filter(isMain), ...names.filter((name) => !isMain(name))];
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    throw writeError(error, from);
  }
}

async function remove(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch (error) {
    throw writeError(error, folder);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}
