import { PatchbayError, type Problem } from "../../../contract/index.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { LiveContributions, Place } from "../ports.ts";
import { NameClaims } from "./name-claims.ts";

/** The plugins of one agent in the pool, running or not. */
interface Places {
  all(): readonly Place[];
  find(key: string): (Place & { setClash(problem: Problem | null): void }) | undefined;
}

/** What the running plugins of one agent offer together. A name of a tool or command belongs to one of them alone. */
export class Offers {
  readonly #places: Places;
  #live: LiveContributions | undefined;
  /**
   * The names of tools: the plugin that has a name keeps it, so that a tool does not change its owner while it is in
   * use.
   */
  readonly #tools = new NameClaims();
  /** The names of commands: the plugin whose key sorts first gets a name, whichever started first. */
  readonly #commands = new NameClaims((left, right) => left < right);

  constructor(places: Places) {
    this.#places = places;
  }

  /**
   * What the plugins offer, sorted by plugin key. Returns the same object until something changes, so that callers can
   * compare by identity.
   */
  live(): LiveContributions {
    this.#live ??= this.#collect();
    return this.#live;
  }

  /** To be called when a plugin's contributions changed. Tells each plugin that gained or lost a name through it. */
  changed({ key, contributions }: Place): void {
    this.#live = undefined;
    const touched = this.#tools.set(key, namesOf(contributions?.tools));
    for (const one of this.#commands.set(key, namesOf(contributions?.commands))) touched.add(one);
    for (const one of touched) {
      const place = this.#places.find(one);
      place?.setClash(this.#problemOf(place));
    }
  }

  /** The error when another running plugin already has one of these tool names; null when all are free. */
  clash({ key }: Place, contributions: InstanceContributions): PatchbayError | null {
    for (const tool of contributions.tools) {
      const owner = this.#tools.ownerOf(tool.name);
      if (owner !== undefined && owner !== key) return nameClash(`tool ${tool.title}`, owner, key);
    }
    return null;
  }

  #problemOf({ key, contributions }: Place): Problem | null {
    const tool = this.#tools.lostBy(key);
    if (tool) {
      const title = contributions?.tools.find(({ name }) => name === tool.name)?.title ?? tool.name;
      return nameClash(`tool ${title}`, tool.owner, key).toProblem();
    }
    const command = this.#commands.lostBy(key);
    return command && nameClash(`command /${command.name}`, command.owner, key).toProblem();
  }

  #collect(): LiveContributions {
    const live: LiveContributions = {
      tools: [],
      toolsets: [],
      hooks: [],
      commands: [],
      skills: [],
      prompts: [],
      heldPrompts: [],
      resources: [],
    };
    for (const { key, contributions } of this.#places.all().toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      if (!contributions) continue;
      const { tools, toolsets, hooks, commands, skills, prompts, heldPrompts = [] } = contributions;
      live.tools.push(...tools.filter(({ name }) => this.#tools.ownerOf(name) === key));
      live.toolsets.push(...toolsets.map((toolset) => ({ owner: key, ...toolset })));
      live.hooks.push(...hooks.map((hook) => ({ ...hook, owner: key })));
      live.commands.push(...commands.filter(({ name }) => this.#commands.ownerOf(name) === key));
      live.skills.push(...skills.map((skill) => ({ owner: key, ...skill })));
      live.prompts.push(...prompts.map((prompt) => ({ owner: key, ...prompt })));
      live.heldPrompts.push(...heldPrompts.map((prompt) => ({ owner: key, ...prompt })));
      if (contributions.resources) live.resources.push(key);
    }
    return live;
  }
}

function namesOf(items: readonly { name: string }[] | undefined): ReadonlySet<string> {
  return new Set(items?.map(({ name }) => name));
}

function nameClash(what: string, owner: string, newcomer: string): PatchbayError {
  return new PatchbayError("NAME_CLASH", `The ${what} of ${newcomer} is already offered by ${owner}.`, {
    details: { owners: [owner, newcomer] },
  });
}
