import { existsSync, readdirSync, renameSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../../base/clock.ts";
import type { AgentRooms, PluginTrace } from "../../agent-rooms.ts";
import type { Fence } from "../fence.ts";
import { ensurePrivateFolder, readError, stampOf, systemCode, writeError } from "../files.ts";
import type { FileLayout } from "../layout.ts";

const STAMP_AT_END = /-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** Agents as folders, one for each. */
export class AgentFolders implements AgentRooms {
  readonly #layout: FileLayout;
  readonly #clock: Clock;
  readonly #fence: Fence;

  constructor(layout: FileLayout, clock: Clock, fence: Fence) {
    this.#layout = layout;
    this.#clock = clock;
    this.#fence = fence;
  }

  has(agentId: string): boolean {
    return existsSync(this.#layout.agent(agentId));
  }

  any(): boolean {
    return existsSync(this.#layout.agents);
  }

  async make(agentId: string): Promise<void> {
    this.#fence.look();
    ensurePrivateFolder(this.#layout.agent(agentId));
  }

  async makeWorkspace(folder: string): Promise<void> {
    this.#fence.look();
    try {
      await mkdir(folder, { recursive: true });
    } catch (error) {
      throw writeError(error, folder);
    }
  }

  async setAside(agentId: string): Promise<void> {
    this.#fence.look();
    const folder = this.#layout.agent(agentId);
    ensurePrivateFolder(this.#layout.removed);
    try {
      renameSync(folder, join(this.#layout.removed, `${agentId}-${stampOf(this.#clock)}`));
    } catch (error) {
      throw writeError(error, folder);
    }
  }

  wasSetAside(agentId: string): boolean {
    const { removed } = this.#layout;
    if (!existsSync(removed)) return false;
    return readdirSync(removed).some((name) => name.replace(STAMP_AT_END, "") === agentId);
  }

  traces(agentId: string): PluginTrace[] {
    const folder = this.#layout.logs(agentId);
    try {
      return this.#layout.traces(readdirSync(folder));
    } catch (error) {
      if (systemCode(error) === "ENOENT") return [];
      throw readError(error, folder);
    }
  }
}
