import type { Prompt, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { CommandInfo, FoundResources, ToolRights } from "../../contract/index.ts";
import type { Core } from "./core.ts";

/** A prompt behind the name that clients know it by. */
export interface NamedPrompt {
  owner: string;
  prompt: NonNullable<CommandInfo["prompt"]>;
}

/** What a client wants values for. */
interface Wanted {
  ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
  argument: { name: string; value: string };
  context?: { arguments?: Record<string, string> | undefined } | undefined;
}

/**
 * The prompts and resources of an agent's plugins as MCP lists them: without those of plugins whose prompts or resources the
 * agent's rules deny. Prompts have the names of their slash commands; addresses say of which plugin they are, so that none of
 * two plugins takes the other's place.
 */
export class PassedLists {
  readonly #client: Core["client"];
  readonly #agentId: string;

  constructor({ client }: Pick<Core, "client">, agentId: string) {
    this.#client = client;
    this.#agentId = agentId;
  }

  async prompts(): Promise<Prompt[]> {
    return (await this.#promptCommands()).map(({ name, description, prompt }) => ({
      name,
      description,
      arguments: prompt?.arguments ?? [],
    }));
  }

  /** Undefined: there is none of that name, or it is held. */
  async promptNamed(name: string): Promise<NamedPrompt | undefined> {
    const found = (await this.#promptCommands()).find((one) => one.name === name);
    return found?.prompt && found.owner !== null ? { owner: found.owner, prompt: found.prompt } : undefined;
  }

  /** @param from how many are passed over */
  async resources(from: number): Promise<{ resources: Resource[]; next: number | undefined }> {
    const [may, found] = await Promise.all([this.#effects("resources"), this.#find(from)]);
    const next = from + found.resources.length;
    return {
      resources: found.resources
        .filter(({ owner }) => may.has(owner))
        .map(({ owner, uri, bytes, audience, ...rest }) => ({
          ...rest,
          uri: outsideUri(owner, uri),
          ...(bytes !== undefined && { size: bytes }),
          ...(audience && { annotations: { audience } }),
        })),
      next: found.resources.length > 0 && next < found.total ? next : undefined,
    };
  }

  async templates(): Promise<ResourceTemplateType[]> {
    const [may, found] = await Promise.all([this.#effects("resources"), this.#find(0)]);
    return found.templates
      .filter(({ owner }) => may.has(owner))
      .map(({ owner, uriTemplate, variables: _, ...rest }) => ({
        ...rest,
        uriTemplate: outsideUri(owner, uriTemplate),
      }));
  }

  /** Whether a plugin that is on has resources that the agent's rules do not deny. */
  async hasResources(owner: string): Promise<boolean> {
    return (await this.#effects("resources")).has(owner);
  }

  /** Values that a plugin suggests. None where its prompts or resources ask first: nobody could be asked at each letter. */
  async values({ ref, argument, context }: Wanted): Promise<string[]> {
    const passes = ref.type === "ref/prompt" ? "prompts" : "resources";
    const wanted = ref.type === "ref/prompt" ? await this.promptNamed(ref.name) : insideUri(ref.uri);
    if (!wanted || (await this.#effects(passes)).get(wanted.owner) !== "allow") return [];
    return this.#client.resources.suggest({
      agentId: this.#agentId,
      owner: wanted.owner,
      of: "prompt" in wanted ? { prompt: wanted.prompt.name } : { template: wanted.uri },
      field: argument.name,
      value: argument.value,
      others: context?.arguments ?? {},
    });
  }

  async #promptCommands(): Promise<CommandInfo[]> {
    const [may, commands] = await Promise.all([
      this.#effects("prompts"),
      this.#client.commands.list({ agentId: this.#agentId, wait: true }),
    ]);
    return commands.filter(({ prompt, owner }) => prompt && owner !== null && may.has(owner));
  }

  /** Plugin → what the agent's rules say of what it passes on; without those that they deny. */
  async #effects(
    passes: "prompts" | "resources",
  ): Promise<Map<string, ToolRights["tools"][number]["effect"]>> {
    const { tools } = await this.#client.tools.rights({ agentId: this.#agentId });
    return new Map(
      tools.flatMap((tool) =>
        tool.passes === passes && tool.owner !== null && tool.effect !== "deny"
          ? [[tool.owner, tool.effect]]
          : [],
      ),
    );
  }

  #find(from: number): Promise<FoundResources> {
    return this.#client.resources.find({ agentId: this.#agentId, from });
  }
}

/** An address of a plugin for other programs. The rest of it stays as it is, so that a template stays one. */
export function outsideUri(owner: string, uri: string): string {
  return `patchbay://${owner}/${uri}`;
}

/** The plugin and its own address; undefined for an address that is none of ours. */
export function insideUri(uri: string): { owner: string; uri: string } | undefined {
  const [, owner, own] = /^patchbay:\/\/([^/]+)\/(.+)$/s.exec(uri) ?? [];
  return owner !== undefined && own !== undefined ? { owner, uri: own } : undefined;
}
