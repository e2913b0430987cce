import { z } from "zod";
import type { HostServices } from "../../runtime.ts";

const profile = "rights";
const keptSchema = z.array(z.string());

/** The rights that a server has asked for while it ran, until the next sign-in asks the person for them. */
export class WantedScopes {
  readonly #profiles: HostServices["credentials"];

  constructor(profiles: HostServices["credentials"]) {
    this.#profiles = profiles;
  }

  async get(): Promise<string[]> {
    const stored = (await this.#profiles.get(profile))?.wanted;
    return stored === undefined ? [] : keptSchema.parse(JSON.parse(stored));
  }

  /** Adds rights. One text for all: each value of a profile is hidden wherever it is seen, and these are no secrets. */
  async add(scopes: readonly string[]): Promise<void> {
    const all = [...new Set([...(await this.get()), ...scopes])].slice(0, 200);
    await this.#profiles.set(profile, { wanted: JSON.stringify(all) });
  }
}

/** The rights in a text of the protocol, which has them with spaces between. */
export function scopesIn(text: string | undefined): string[] {
  return (text ?? "").split(/\s+/).filter((scope) => scope !== "" && scope.length <= 500);
}
