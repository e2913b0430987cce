/**
 * Decides which plugin gets a name when several plugins offer the same one. A change looks only at the names of the
 * plugin that changed, so that starting many plugins takes time in proportion to the number of their names.
 */
export class NameClaims {
  readonly #prefer: (left: string, right: string) => boolean;
  /** The plugins that claim each name. The first one in the list has it. */
  readonly #claimants = new Map<string, string[]>();
  readonly #names = new Map<string, ReadonlySet<string>>();

  /**
   * @param prefer whether `left` gets a name although `right` claimed it earlier; default: never, the first claim
   * counts
   */
  constructor(prefer: (left: string, right: string) => boolean = () => false) {
    this.#prefer = prefer;
  }

  /**
   * Says which names a plugin claims from now on.
   *
   * @returns every plugin that may have gained or lost a name through this call, including `key`
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

  /** A name that the plugin claims but another plugin has, and that plugin's key; null when there is none. */
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
