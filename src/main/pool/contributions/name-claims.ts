/**
 * Who has which name, when several plugins offer the same one. Only what a change touches is looked at again, so that
 * starting many plugins of one agent takes time in proportion to what they offer.
 */
export class NameClaims {
  readonly #prefer: (left: string, right: string) => boolean;
  /** The claimants of each name, whoever has it first. */
  readonly #claimants = new Map<string, string[]>();
  readonly #names = new Map<string, ReadonlySet<string>>();

  /** @param prefer whether `left` gets a name before `right`, who claimed it earlier; absent: first come, first served */
  constructor(prefer: (left: string, right: string) => boolean = () => false) {
    this.#prefer = prefer;
  }

  /**
   * Says which names a plugin claims from now on.
   *
   * @returns every plugin that may have won or lost a name by that, this one included
   */
  set(key: string, names: ReadonlySet<string>): Set<string> {
    const touched = new Set([key]);
    const before = this.#names.get(key);
    if (names.size > 0) this.#names.set(key, names);
    else this.#names.delete(key);
    for (const name of before ?? []) if (!names.has(name)) this.#release(key, name, touched);
    for (const name of names) if (!before?.has(name)) this.#claim(key, name, touched);
    return touched;
  }

  ownerOf(name: string): string | undefined {
    return this.#claimants.get(name)?.[0];
  }

  /** A name that the plugin claims and another one has. */
  lostBy(key: string): { name: string; owner: string } | null {
    for (const name of this.#names.get(key) ?? []) {
      const owner = this.ownerOf(name);
      if (owner !== undefined && owner !== key) return { name, owner };
    }
    return null;
  }

  #claim(key: string, name: string, touched: Set<string>): void {
    const claimants = this.#claimants.get(name);
    if (!claimants) {
      this.#claimants.set(name, [key]);
      return;
    }
    for (const one of claimants) touched.add(one);
    const at = claimants.findIndex((one) => this.#prefer(key, one));
    claimants.splice(at < 0 ? claimants.length : at, 0, key);
  }

  #release(key: string, name: string, touched: Set<string>): void {
    const left = (this.#claimants.get(name) ?? []).filter((one) => one !== key);
    if (left.length === 0) this.#claimants.delete(name);
    else this.#claimants.set(name, left);
    for (const one of left) touched.add(one);
  }
}
