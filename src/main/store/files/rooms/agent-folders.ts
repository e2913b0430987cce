import { existsSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { AgentRooms, PluginTrace } from "../../agent-rooms.ts";
import type { Fence } from "../fence.ts";
import { ensurePrivateFolder, readError, systemCode, writeError } from "../files.ts";
import type { FileLayout } from "../layout.ts";

const STAMP_AT_END = /-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** Agents as folders, one for each. */
export class AgentFolders implements AgentRooms {
  readonly #layout: FileLayout;
  readonly #fence: Fence;

  constructor(layout: FileLayout, fence: Fence) {
    this.#layout = layout;
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
