import {
  type FoundResources,
  hasWords,
  mostFound,
  PatchbayError,
  type SuggestionRequest,
} from "../../../contract/index.ts";
import type { ResourceContent, ResourceList } from "../../runtimes/plugin-call.ts";
import { type CallingOptions, callPlugin } from "./plugin-calls.ts";

const owner = { kind: "owner" } as const;
/** How long a plugin may think about what could stand in a field, and about its list, in milliseconds. */
const SUGGESTION_MS = 5_000;
const LIST_MS = 20_000;

/** What the plugins of an agent can read by address. */
export class Resources {
  private readonly options: CallingOptions;

  constructor(options: CallingOptions) {
    this.options = options;
  }

  /** Those in whose name, address or description all words occur. A plugin that does not answer keeps the others from nothing. */
  async find(
    agentId: string,
    { words, from }: { words: string; from: number },
    signal: AbortSignal,
  ): Promise<FoundResources> {
    const { pool } = this.options;
    await pool.wake(agentId);
    const owners = pool.live(agentId).resources ?? [];
    const found: FoundResources = { resources: [], total: 0, templates: [], silent: [] };
    const lists = await Promise.all(owners.map((key) => this.listOf(agentId, key, signal)));
    for (const [index, list] of lists.entries()) {
      const key = owners[index] as string;
      if (list instanceof Error) {
        found.silent.push({ owner: key, why: list.message });
        continue;
      }
      for (const one of list.resources) {
        if (!hasWords(`${one.name} ${one.uri} ${one.description} ${key}`, words)) continue;
        found.total += 1;
        if (found.total > from && found.resources.length < mostFound)
          found.resources.push({ ...one, owner: key });
      }
      for (const one of list.templates)
        if (hasWords(`${one.name} ${one.uriTemplate} ${one.description} ${key}`, words))
          found.templates.push({ ...one, owner: key });
    }
    return found;
  }

  /** Values that could stand in a field; none where the plugin has nothing to say. @throws PatchbayError ABORTED */
  async suggest(agentId: string, asked: SuggestionRequest, signal: AbortSignal): Promise<string[]> {
    const { of, field, value, others } = asked;
    const call = { kind: "suggest" as const, of, field, value, others };
    const place = {
      agentId,
      owner: asked.owner,
      sessionId: "",
      caller: owner,
      signal,
      limitMs: SUGGESTION_MS,
    };
    try {
      return await callPlugin(this.options, call, place);
    } catch (error) {
      if (signal.aborted) throw error;
      return [];
    }
  }

  /** @throws PatchbayError RESOURCE_UNREADABLE with why, ABORTED */
  async read(
    agentId: string,
    { owner: key, uri, name }: { owner: string; uri: string; name?: string | undefined },
    sessionId: string,
    signal: AbortSignal,
  ): Promise<ResourceContent[]> {
    try {
      const place = { agentId, owner: key, sessionId, caller: owner, signal };
      return (await callPlugin(this.options, { kind: "resource", uri }, place)).contents;
    } catch (error) {
      if (signal.aborted) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new PatchbayError("RESOURCE_UNREADABLE", `${name ?? uri} of ${key} cannot be read: ${why}`, {
        details: { resource: name ?? uri, plugin: key },
        cause: error,
      });
    }
  }

  private async listOf(agentId: string, key: string, signal: AbortSignal): Promise<ResourceList | Error> {
    try {
      const place = { agentId, owner: key, sessionId: "", caller: owner, signal, limitMs: LIST_MS };
      return await callPlugin(this.options, { kind: "resources" }, place);
    } catch (error) {
      if (signal.aborted) throw error;
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}
