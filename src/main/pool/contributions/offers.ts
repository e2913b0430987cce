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
  /** A tool in use is not taken over: whoever has its name keeps it. */
  readonly #tools = new NameClaims();
  /** The earlier plugin in key order has a command name, whichever started first. */
  readonly #commands = new NameClaims((left, right) => left < right);

  constructor(places: Places) {
    this.#places = places;
  }

  /** In plugin-key order. The same object until something of it changes. */
  live(): LiveContributions {
    this.#live ??= this.#collect();
    return this.#live;
  }

  /** Looks again at what a plugin offers, and tells each plugin that lost or won a name by that. */
  changed({ key, contributions }: Place): void {
    this.#live = undefined;
    const touched = this.#tools.set(key, namesOf(contributions?.tools));
    for (const one of this.#commands.set(key, namesOf(contributions?.commands))) touched.add(one);
    for (const one of touched) {
      const place = this.#places.find(one);
      place?.setClash(this.#problemOf(place));
    }
  }

  /** A tool name of the newcomer that another running plugin has. */
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
    };
    for (const { key, contributions } of this.#places.all().toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      if (!contributions) continue;
      const { tools, toolsets, hooks, commands, skills, prompts } = contributions;
      live.tools.push(...tools.filter(({ name }) => this.#tools.ownerOf(name) === key));
      live.toolsets.push(...toolsets.map((toolset) => ({ owner: key, ...toolset })));
      live.hooks.push(...hooks.map((hook) => ({ ...hook, owner: key })));
      live.commands.push(...commands.filter(({ name }) => this.#commands.ownerOf(name) === key));
      live.skills.push(...skills.map((skill) => ({ owner: key, ...skill })));
      live.prompts.push(...prompts.map((prompt) => ({ owner: key, ...prompt })));
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
