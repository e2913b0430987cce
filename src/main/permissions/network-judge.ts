import { isIP } from "node:net";
import type { Grants } from "../../contract/grants.ts";
import { privatePlace } from "../platform/walls/network/private-addresses.ts";
import type { NetworkJudge, NetworkTarget, Verdict } from "../platform/walls/wall.ts";
import { anyCovers, isHost, ruleFor } from "./host-rules.ts";

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
  /** Whose connections these are, in words; absent: `this plugin`. */
  who?: string;
  /** Calls the listener when the grants were changed; the returned function ends that. */
  follow?(listener: () => void): () => void;
}

/** Most questions of one plugin that are open at the same time; what comes then is refused. */
const MOST_QUESTIONS = 3;
/** Most questions of one run to which nobody said yes; then the person has made themselves clear. */
const MOST_IN_VAIN = 10;

/** Decides about the connections of one run of a plugin: by its grants, and where they say nothing by asking. */
export class HostJudge implements NetworkJudge {
  readonly #options: JudgeOptions;
  readonly #who: string;
  readonly #answered = new Map<string, boolean>();
  readonly #asking = new Map<string, Promise<boolean>>();
  #inVain = 0;

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#who = options.who ?? "this plugin";
  }

  async decide(target: NetworkTarget, signal: AbortSignal): Promise<Verdict> {
    const verdict = await this.#verdict(target, (...question) => this.#ask(...question, signal));
    if (verdict.allowed && target.port !== null) this.#options.reached(ruleFor(target.host, target.port));
    return verdict;
  }

  async holds(target: NetworkTarget): Promise<boolean> {
    const asAnswered: Ask = async (key, rule) =>
      this.#answered.get(key) ? { allowed: true } : this.#nobodyAllowed(rule);
    return (await this.#verdict(target, asAnswered)).allowed;
  }

  follow(listener: () => void): () => void {
    return this.#options.follow?.(listener) ?? (() => {});
  }

  async #verdict(target: NetworkTarget, ask: Ask): Promise<Verdict> {
    const { host, port } = target;
    const { network } = this.#options.grants();
    const rule = ruleFor(host, port);
    if (!isHost(host)) return refused("This is no name of a host.");
    const home = refused(`${rule} is Patchbay itself, which ${this.#who} cannot reach.`);
    const isOwnPort = port !== null && this.#options.ownPorts().includes(port);
    if (isOwnPort && isHere(host)) return home;
    if (anyCovers(network.refused, host, port)) return refused(`You refused ${rule} to ${this.#who}.`);
    if (network.reach === "none") return refused(`Nobody allowed ${this.#who} to use the network.`);
    const isNamed = anyCovers(this.#options.named(), host, port);
    const isGranted = anyCovers(network.hosts, host, port);
    const isInside = isHere(host) || (isIP(host) !== 0 && privatePlace(host) !== null);
    // A name that it may not reach is not looked up: names can carry something out.
    if (!isNamed && !isGranted && network.reach === "hosts" && !isInside) {
      const verdict = await ask(host, host, null, [host]);
      if (!verdict.allowed) return verdict;
    }
    if (port === null)
      return isNamed || isGranted || !isInside ? { allowed: true } : this.#askInside(target, ask);
    const addresses = await target.addresses();
    if (isOwnPort && addresses.some(isHere)) return home;
    if (isNamed || (isGranted && (isInside || isIP(host) !== 0))) return { allowed: true };
    // Who owns a name decides where it leads, also to this computer. What was granted is the name out there.
    const inside = addresses.filter((address) => privatePlace(address) !== null);
    if (inside.every((address) => anyCovers(network.hosts, address, port))) return { allowed: true };
    return this.#askInside(target, ask);
  }

  /** Asks about a place that is not on the public internet: a port of an address, whatever its name was granted for. */
  async #askInside({ host, port, addresses }: NetworkTarget, ask: Ask): Promise<Verdict> {
    const all = await addresses();
    const place = all.map((each) => privatePlace(each)).find((each) => each !== null) ?? "no known place";
    const rule = ruleFor(host, port);
    const isName = isIP(host) === 0 && !isHere(host);
    const kept = isName ? all.map((address) => ruleFor(address, port)) : [rule];
    return ask(`${rule} at ${all.join(" ")}`, rule, place, kept);
  }

  async #ask(
    key: string,
    rule: string,
    place: string | null,
    kept: readonly string[],
    signal: AbortSignal,
  ): Promise<Verdict> {
    const known = this.#answered.get(key);
    const allowed =
      known ?? (await (this.#asking.get(key) ?? this.#question(key, rule, place, kept, signal)));
    return allowed ? { allowed } : this.#nobodyAllowed(rule);
  }

  #question(
    key: string,
    rule: string,
    place: string | null,
    kept: readonly string[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (this.#asking.size >= MOST_QUESTIONS || this.#inVain >= MOST_IN_VAIN) return Promise.resolve(false);
    const asking = this.#askPerson(key, rule, place, kept, signal).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #askPerson(
    key: string,
    rule: string,
    place: string | null,
    kept: readonly string[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const answer = await this.#options.ask(rule, place, signal);
    if (answer === "always") for (const each of kept) await this.#options.keep(each);
    const allowed = answer === "once" || answer === "always";
    if (!allowed) this.#inVain += 1;
    // "Always" is a grant from here on, which ends when the person takes it back.
    if (answer === "once" || answer === "no") this.#answered.set(key, allowed);
    return allowed;
  }

  #nobodyAllowed(rule: string): Verdict {
    return refused(`Nobody allowed ${this.#who} to reach ${rule}.`);
  }
}

/** @param key what an answer is remembered for while the plugin runs. `kept`: the rules that "always" adds */
type Ask = (key: string, rule: string, place: string | null, kept: readonly string[]) => Promise<Verdict>;

/** Whether a name or address means this computer. */
function isHere(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return isIP(host) !== 0 && privatePlace(host) === "this computer";
}

function refused(why: string): Verdict {
  return { allowed: false, why };
}
