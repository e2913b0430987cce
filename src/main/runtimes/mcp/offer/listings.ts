import { type Client, ProtocolError, SdkError } from "@modelcontextprotocol/client";
import { PatchbayError, type Trust } from "../../../../contract/index.ts";
import { cleanText } from "../../../../contract/shown/clean-text.ts";
import type { InstanceContributions } from "../../runtime.ts";
import { type IconPlace, serverIcon } from "../icons/server-icon.ts";
import { offeredPrompts } from "./listed-prompts.ts";
import { type ListedTool, offeredTools } from "./listed-tools.ts";
import { allPages } from "./pages.ts";
import type { MirroredParam } from "./param-headers.ts";
import { readingTools } from "./reading-tools.ts";
import { saidBy } from "./said.ts";
import { serverFactsOf } from "./server-facts.ts";

/** Most characters of a server's instructions that the agent is told. */
const MOST_INSTRUCTIONS = 4_000;

/** What a server offers, judged. */
export interface Offer {
  contributions: InstanceContributions;
  /** The server's own name of a tool, by its full name. */
  ownNames: Map<string, string>;
  listed: Map<string, ListedTool>;
  /** By the server's own name of a tool: arguments that are sent in headers, too. */
  mirrored: Map<string, MirroredParam[]>;
}

/** Whose lists are read. */
interface ListedPlugin {
  key: string;
  displayName: string;
  trust: Trust | undefined;
  /** Arguments can be wanted in headers, too: the server is at an address and speaks the newer way. */
  mirrors: boolean;
  timeoutMs: number;
  /** Where its icon may lie. */
  place: IconPlace;
}

/** Reads the lists of a server. A faulty entry is left out, and nothing else. */
export class Listings {
  readonly #client: Client;
  readonly #plugin: ListedPlugin;
  /** Null: it has none, or it was not looked for yet. */
  #icon: string | null = null;

  constructor(client: Client, plugin: ListedPlugin) {
    this.#client = client;
    this.#plugin = plugin;
  }

  /**
   * @param before what it offered before: what is unchanged stays the same object
   * @param signal ends the reading; without it only each page has its limit
   */
  async read(before?: Offer, signal?: AbortSignal): Promise<Offer> {
    const unread: string[] = [];
    const { key, displayName, trust, mirrors } = this.#plugin;
    const has = this.#client.getServerCapabilities();
    const [rawTools, rawPrompts] = await Promise.all([
      has?.tools ? this.#all("tools/list", "tools", { unread, signal }) : [],
      has?.prompts
        ? this.#all("prompts/list", "prompts", { unread, signal }).catch((error: unknown) => {
            // Without its prompts it is still of use; with a connection that is gone it is not.
            if (!ProtocolError.isInstance(error) && !SdkError.isInstance(error)) throw error;
            unread.push("It says that it has prompts, but does not list them.");
            return [];
          })
        : [],
    ]);
    // That of a program stands in what it said already.
    if (!before && this.#plugin.place === null) this.#icon = await this.#findIcon();
    const { tools, ownNames, listed, mirrored, notes } = offeredTools(rawTools, { key, trust, mirrors });
    const reading = has?.resources ? readingTools(this.#plugin, new Set(ownNames.keys())) : [];
    const known = new Map(before?.contributions.tools.map((tool) => [tool.name, tool]));
    const { prompts, notes: promptNotes } = offeredPrompts(rawPrompts);
    const whole = this.#client.getInstructions() ?? "";
    const instructions = cleanText(whole.slice(0, MOST_INSTRUCTIONS));
    return {
      ownNames,
      listed,
      mirrored,
      contributions: {
        tools: [...tools, ...reading].map((tool) => {
          const old = known.get(tool.name);
          return old && JSON.stringify(old) === JSON.stringify(tool) ? old : tool;
        }),
        toolsets:
          instructions === "" ? [] : [{ id: key, description: `From ${displayName}: ${instructions}` }],
        hooks: [],
        commands: [],
        skills: [],
        prompts,
        ...(has?.resources && { resources: true as const }),
        channel: null,
        notes: [...notes, ...promptNotes, ...unread],
        server: serverFactsOf(this.#client, {
          icon: this.#icon,
          instructions,
          prompts: prompts.map(({ name }) => name),
        }),
        said: saidBy(key, { ownNames, listed, prompts: rawPrompts, instructions: whole }),
      },
    };
  }

  /** Fetches the icon of a server at an address, for which its start does not wait. @returns the offer with it; null: there is none */
  async withIcon(offer: () => Offer): Promise<Offer | null> {
    if (this.#plugin.place === null) return null;
    this.#icon = await this.#findIcon();
    const { contributions, ...rest } = offer();
    if (this.#icon === null || !contributions.server) return null;
    return {
      ...rest,
      contributions: { ...contributions, server: { ...contributions.server, icon: this.#icon } },
    };
  }

  #findIcon(): Promise<string | null> {
    return serverIcon(this.#client.getServerVersion()?.icons, this.#plugin.place);
  }

  async #all(
    method: "tools/list" | "prompts/list",
    field: "tools" | "prompts",
    { unread, signal }: { unread: string[]; signal: AbortSignal | undefined },
  ): Promise<unknown[]> {
    const { entries, isWhole } = await allPages(field, (params, page) =>
      this.#client.request({ method, params }, page, {
        timeout: this.#plugin.timeoutMs,
        ...(signal && { signal }),
      }),
    );
    if (isWhole) return entries;
    if (entries.length === 0)
      throw new PatchbayError("START_FAILED", "Its list has no end, and nothing in it.");
    unread.push(`Its list of ${field} does not end; the first ${entries.length} entries were looked at.`);
    return entries;
  }
}
