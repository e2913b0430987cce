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

const symbols = new Map<string, Sym>();
const keywords = new Map<string, Kw>();

/** The symbol of a name; `name` has one char per byte. */
export function sym(name: string): Sym {
  let found = symbols.get(name);
  if (found === undefined) {
    found = new Sym(name);
    symbols.set(name, found);
  }
  return found;
}

/** The keyword of a name; `name` is without the colon and has one char per byte. */
export function kw(name: string): Kw {
  let found = keywords.get(name);
  if (found === undefined) {
    found = new Kw(name);
    keywords.set(name, found);
  }
  return found;
}
