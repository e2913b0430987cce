import { isIP } from "node:net";
import type { Grants } from "../../contract/grants.ts";
import { privatePlace } from "../platform/walls/private-addresses.ts";
import type { NetworkJudge, NetworkTarget, Verdict } from "../platform/walls/wall.ts";
import { anyCovers, hasPort, isHost, ruleFor } from "./host-rules.ts";

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
    if (anyCovers(this.#options.named(), host, port)) return { allowed: true };
    const granted = anyCovers(network.hosts, host, port);
    // What was not granted is not looked up: a name that is asked for can carry something out by itself.
    if (!granted && network.reach === "hosts") return this.#ask(target, placeOfAddress(host), signal);
    if (port === null || (granted && isNamedPlace(network.hosts, host, port))) return { allowed: true };
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
    const about = subjectOf(host, port, place);
    const known = this.#answered.get(about);
    const allowed = known ?? (await (this.#asking.get(about) ?? this.#question(about, place, signal)));
    return allowed ? { allowed } : refused(`Nobody allowed this plugin to reach ${host}.`);
  }

  #question(rule: string, place: string | null, signal: AbortSignal): Promise<boolean> {
    if (this.#asking.size >= MOST_QUESTIONS || this.#inVain >= MOST_IN_VAIN) return Promise.resolve(false);
    const asking = this.#askPerson(rule, place, signal).finally(() => this.#asking.delete(rule));
    this.#asking.set(rule, asking);
    return asking;
  }

  async #askPerson(rule: string, place: string | null, signal: AbortSignal): Promise<boolean> {
    const answer = await this.#options.ask(rule, place, signal);
    if (answer === "always") await this.#options.keep(rule);
    const allowed = answer === "once" || answer === "always";
    if (!allowed) this.#inVain += 1;
    if (answer !== null) this.#answered.set(rule, allowed);
    return allowed;
  }
}

/**
 * What a question is about, and what a yes to it allows: on the internet the host, because people know hosts and not
 * ports; on this computer and around it one port, because other programs answer at the others.
 */
function subjectOf(host: string, port: number | null, place: string | null): string {
  return ruleFor(host, place === null ? null : port);
}

/** Where a host is, as far as that can be told without looking its name up. */
function placeOfAddress(host: string): string | null {
  if (host === "localhost" || host.endsWith(".localhost")) return "this computer";
  return isIP(host) ? privatePlace(host) : null;
}

/**
 * Whether these rules mean this very place, wherever it is: an address, this computer, or a name with this port. A name
 * alone means a host on the internet: whoever owns it could let it lead to a device in the person's network.
 */
function isNamedPlace(rules: readonly string[], host: string, port: number): boolean {
  return placeOfAddress(host) !== null || isIP(host) !== 0 || anyCovers(rules.filter(hasPort), host, port);
}

function refused(why: string): Verdict {
  return { allowed: false, why };
}
