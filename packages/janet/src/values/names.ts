/** A Janet symbol. Made by {@link sym} only, so two of one name are the same object. `name`: one char per byte. */
export class Sym {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A Janet keyword; `name` is without the colon. Made by {@link kw} only, so two of one name are the same object. */
export class Kw {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** One object for each name, for as long as somebody holds it: a program may make any number of names while it runs. */
class Names<Name extends { readonly name: string }> {
  private readonly held = new Map<string, WeakRef<Name>>();
  private readonly make: (name: string) => Name;
  private readonly gone = new FinalizationRegistry<string>((name) => {
    // A new object of the same name may have come meanwhile.
    if (this.held.get(name)?.deref() === undefined) this.held.delete(name);
  });

  constructor(make: (name: string) => Name) {
    this.make = make;
  }

  /** How many names are held, or were until a moment ago. */
  get size(): number {
    return this.held.size;
  }

  of(name: string): Name {
    const known = this.held.get(name)?.deref();
    if (known !== undefined) return known;
    const made = this.make(name);
    this.held.set(name, new WeakRef(made));
    this.gone.register(made, name);
    return made;
  }
}

const symbols = new Names((name) => new Sym(name));
const keywords = new Names((name) => new Kw(name));

/** The symbol of a name; `name` has one char per byte. */
export function sym(name: string): Sym {
  return symbols.of(name);
}

/** The keyword of a name; `name` is without the colon and has one char per byte. */
export function kw(name: string): Kw {
  return keywords.of(name);
}

/** How many names there are in this process. */
export function namesHeld(): number {
  return symbols.size + keywords.size;
}
