import { EventEmitter, once } from "node:events";
import type { CredentialStore, PluginStorage } from "@patchbay/plugin-sdk";
import type {
  ButtonPress,
  ChannelClock,
  ChannelFailure,
  ChannelPort,
  InboundMessage,
} from "@patchbay/plugin-sdk/channel";
import { failureOf, systemClock } from "@patchbay/plugin-sdk/channel";
import type { FakeClock } from "../support/fake-clock.ts";

/** What a transport tells the toolkit, kept: for tests of one transport without the rest. */
export class Desk implements ChannelPort {
  readonly messages: InboundMessage[] = [];
  readonly presses: ButtonPress[] = [];
  readonly losses: ChannelFailure[] = [];
  /** Messages are not safe before this resolves. */
  safe: Promise<void> = Promise.resolve();
  readonly #events = new EventEmitter();

  async message(message: InboundMessage): Promise<void> {
    this.messages.push(message);
    this.#events.emit("change");
    await this.safe;
  }

  async press(press: ButtonPress): Promise<string> {
    this.presses.push(press);
    return "";
  }

  lost(reason: unknown): void {
    this.losses.push(failureOf(reason));
    this.#events.emit("change");
  }

  readonly gone: string[] = [];
  readonly returned: string[] = [];

  left(conversation: string): void {
    this.gone.push(conversation);
    this.#events.emit("change");
  }

  back(conversation: string): void {
    this.returned.push(conversation);
    this.#events.emit("change");
  }

  async mayWrite(): Promise<boolean> {
    return true;
  }

  trouble(): void {}
  degraded(): void {}

  /** Resolves when so many messages have come. */
  async got(count: number): Promise<void> {
    while (this.messages.length < count) await once(this.#events, "change");
  }

  /** Resolves with the reason when the connection was lost. */
  async lostFor(): Promise<ChannelFailure> {
    while (this.losses.length === 0) await once(this.#events, "change");
    return this.losses[0] as ChannelFailure;
  }
}

/** A clock on which everything passes faster, what others may take as well. */
export function fastClock(scale = 1_000): ChannelClock {
  const clock = systemClock(scale);
  return { ...clock, limit: clock.after };
}

/** A clock on which time passes when the test says so, limits on servers too: a busy machine makes nothing late. */
export function onlyWhenTold(time: FakeClock): ChannelClock {
  const after = (ms: number, action: () => void) => time.after(ms, action);
  return { now: () => time.now(), after, limit: after, random: Math.random };
}

export function memoryStorage(): PluginStorage & { readonly values: Map<string, unknown> } {
  const values = new Map<string, unknown>();
  return {
    values,
    get: async (key) => values.get(key),
    set: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
  };
}

export function memoryCredentials(): CredentialStore {
  const profiles = new Map<string, Record<string, string>>();
  const of = (profile: string) => profiles.get(profile) ?? {};
  return {
    get: async (profile, key) => of(profile)[key],
    list: async (profile) => ({ ...of(profile) }),
    set: async (profile, key, value) => void profiles.set(profile, { ...of(profile), [key]: value }),
    delete: async (profile, key) => {
      const { [key]: _, ...rest } = of(profile);
      profiles.set(profile, rest);
    },
    replace: async (profile, values) => void profiles.set(profile, { ...values }),
    clear: async (profile) => void profiles.delete(profile),
  };
}
