import type { Grants } from "../../contract/grants.ts";
import type { NetworkJudge, NetworkTarget, Verdict } from "../platform/walls/wall.ts";
import { anyCovers, isHost, ruleFor } from "./host-rules.ts";
import { privatePlace } from "./private-addresses.ts";

/** What the person said about a host. `once`: while this run of the plugin lasts. Null: nobody answered. */
export type HostAnswer = "once" | "always" | "no" | null;

export interface JudgeOptions {
  /** Read at each decision, so that a change holds at once. */
  grants(): Grants;
  /** Hosts that the plugin's settings name. */
  named(): readonly string[];
  /** Ports of this computer at which Patchbay itself answers. */
  ownPorts(): readonly number[];
  /** Asks the person. `place`: where the host is in words, when that is not the public internet. */
  ask(rule: string, place: string | null, signal: AbortSignal): Promise<HostAnswer>;
  /** Remembers the answer for good. */
  keep(rule: string): Promise<void>;
  reached(rule: string): void;
}

/** Most questions of one plugin that are open at the same time; what comes then is refused. */
const MOST_QUESTIONS = 3;
/** Most questions of one run to which nobody said yes; then the person has made themselves clear. */
const MOST_IN_VAIN = 10;

/** Decides about the connections of one run of a plugin: by its grants, and where they say nothing by asking. */
export class HostJudge implements NetworkJudge {
  readonly #options: JudgeOptions;
  readonly #answered = new Map<string, boolean>();
  readonly #asking = new Map<string, Promise<boolean>>();
  #inVain = 0;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  async decide(target: NetworkTarget, signal: AbortSignal): Promise<Verdict> {
    const verdict = await this.#verdict(target, signal);
    if (verdict.allowed && target.port !== null) this.#options.reached(ruleFor(target.host, target.port));
    return verdict;
  }

  async #verdict(target: NetworkTarget, signal: AbortSignal): Promise<Verdict> {
    const { host, port } = target;
    const { network } = this.#options.grants();
    const rule = ruleFor(host, port);
    if (!isHost(host)) return refused("This is no name of a host.");
    if (await this.#leadsHome(target))
      return refused(`${rule} is Patchbay itself, which plugins cannot reach.`);
    if (anyCovers(network.refused, host, port)) return refused(`You refused ${rule} to this plugin.`);
    if (network.reach === "none") return refused("This plugin has no permission to use the network.");
    if (anyCovers(network.hosts, host, port) || anyCovers(this.#options.named(), host, port))
      return { allowed: true };
    if (network.reach === "hosts") return this.#ask(target, null, signal);
    if (port === null) return { allowed: true };
    const place = (await target.addresses()).map(privatePlace).find((each) => each !== null) ?? null;
    return place === null ? { allowed: true } : this.#ask(target, place, signal);
  }

  /** Whether it is an address of this computer with a port at which Patchbay answers. */
  async #leadsHome({ host, port, addresses }: NetworkTarget): Promise<boolean> {
    if (port === null || !this.#options.ownPorts().includes(port)) return false;
    if (host === "localhost" || host.endsWith(".localhost")) return true;
    const { network } = this.#options.grants();
    // A name that it may not reach is not looked up.
    if (network.reach !== "any" && !anyCovers(network.hosts, host, port) && !/^[\d.:a-f]+$/.test(host))
      return false;
    return (await addresses()).some((address) => privatePlace(address) === "this computer");
  }

  async #ask({ host, port }: NetworkTarget, place: string | null, signal: AbortSignal): Promise<Verdict> {
    const known = this.#answered.get(host);
    const allowed = known ?? (await (this.#asking.get(host) ?? this.#question(host, port, place, signal)));
    return allowed ? { allowed } : refused(`Nobody allowed this plugin to reach ${host}.`);
  }

  #question(host: string, port: number | null, place: string | null, signal: AbortSignal): Promise<boolean> {
    if (this.#asking.size >= MOST_QUESTIONS || this.#inVain >= MOST_IN_VAIN) return Promise.resolve(false);
    const asking = this.#askPerson(host, port, place, signal).finally(() => this.#asking.delete(host));
    this.#asking.set(host, asking);
    return asking;
  }

  async #askPerson(
    host: string,
    port: number | null,
    place: string | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    // What is granted is the host, not the port: people know hosts.
    const rule = ruleFor(host, place === null ? null : port);
    const answer = await this.#options.ask(rule, place, signal);
    if (answer === "always") await this.#options.keep(rule);
    const allowed = answer === "once" || answer === "always";
    if (!allowed) this.#inVain += 1;
    if (answer !== null) this.#answered.set(host, allowed);
    return allowed;
  }
}

function refused(why: string): Verdict {
  return { allowed: false, why };
}
