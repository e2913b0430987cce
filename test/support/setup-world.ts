import type { Problem, SetupStepKind, SetupView } from "../../src/contract/index.ts";
import { AgentPluginService } from "../../src/main/agent-plugins/agent-plugin-service.ts";
import type { Clock } from "../../src/main/base/clock.ts";
import { systemClock } from "../../src/main/base/clock.ts";
import { SignIns } from "../../src/main/setup/oauth/sign-in.ts";
import { Grants } from "../../src/main/setup/persist/grants.ts";
import { Setups } from "../../src/main/setup/setups.ts";
import { everything, givenWalls } from "./open-walls.ts";
import type { PoolWorld } from "./pool-world.ts";

/** The setup wizards with the real services of a {@link PoolWorld}. */
export class SetupWorld {
  readonly world: PoolWorld;
  readonly opened: string[] = [];
  readonly audit: { kind: string }[] = [];
  /** What the integrity check says of every plugin. */
  integrity: Problem | null = null;
  readonly grants: Grants;
  readonly owner: AgentPluginService;
  setups: Setups;
  readonly #clock: Clock;

  constructor(world: PoolWorld, clock: Clock = systemClock) {
    this.world = world;
    this.#clock = clock;
    const { vault, agentPlugins, agents, registry, pool } = world;
    this.grants = new Grants({ vault, agentPlugins, clock });
    const audit = { record: async (event: { kind: string }) => void this.audit.push(event) };
    this.owner = new AgentPluginService({
      registry,
      agents,
      agentPlugins,
      vault,
      grants: this.grants,
      runtimes: [world.runtime],
      permissions: givenWalls(),
      pool,
      audit,
      deactivate: async () => {},
    });
    world.oauthToken = (...args) => this.grants.token(...args);
    this.setups = this.#create();
  }

  /** Closes and opens the wizards as a restart of the app does. */
  async restart(): Promise<void> {
    await this.setups.close();
    await this.owner.recover();
    this.setups = this.#create();
    await this.setups.recover();
  }

  /** The present step; throws when it is of another kind. */
  step<K extends SetupStepKind>(key: string, kind: K): Extract<SetupView["step"], { kind: K }> {
    const { step } = this.view(key);
    if (step.kind !== kind) throw new Error(`Expected ${kind}, but it is ${JSON.stringify(step)}`);
    return step as Extract<SetupView["step"], { kind: K }>;
  }

  view(key: string): SetupView {
    const view = this.setups.get("ada", key);
    if (!view) throw new Error("No wizard is open.");
    return view;
  }

  answer(key: string, answer: Parameters<Setups["submit"]>[4], stepId?: string): Promise<SetupView> {
    const { id, step } = this.view(key);
    return this.setups.submit("ada", key, id, stepId ?? step.id, answer);
  }

  /** Resolves when `holds` is true for the shown step; it is checked after each change. */
  async until(key: string, holds: (step: SetupView["step"]) => boolean): Promise<SetupView> {
    for (;;) {
      const view = this.view(key);
      if (holds(view.step)) return view;
      await new Promise<void>((resolve) => this.setups.changes.once("setup", () => resolve()));
    }
  }

  async close(): Promise<void> {
    await this.setups.close();
    await this.grants.close();
  }

  #create(): Setups {
    const { registry, agents, agentPlugins, vault, credentials, pool, runtime, settings } = this.world;
    return new Setups({
      registry,
      agents,
      agentPlugins,
      owner: this.owner,
      vault,
      credentials,
      grants: this.grants,
      pool,
      permissions: givenWalls(everything),
      runtimes: [runtime],
      settings: { get: () => settings },
      languages: { of: () => "de" },
      audit: { record: async (event) => void this.audit.push(event) },
      signIn: new SignIns(this.#clock),
      checkIntegrity: async () => this.integrity,
      openUrl: async (url) => {
        this.opened.push(url);
        return true;
      },
      clock: this.#clock,
    });
  }
}
