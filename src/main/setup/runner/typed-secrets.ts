/**
 * The values that were typed into password fields, or given by a provider, during one wizard. They must be stored and
 * shown nowhere as plain text.
 */
export class TypedSecrets {
  readonly #values = new Set<string>();
  readonly #hide: (value: string) => void;

  /** @param hide takes the value out of whatever is said from now on */
  constructor(hide: (value: string) => void) {
    this.#hide = hide;
  }

  get all(): readonly string[] {
    return [...this.#values];
  }

  add(...values: readonly (string | undefined)[]): void {
    for (const value of values) {
      if (!value) continue;
      this.#values.add(value);
      this.#hide(value);
    }
  }
}
