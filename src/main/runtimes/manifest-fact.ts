/** One value of a manifest, as plain data: what a problem with it is told from. Functions are only known to exist. */
export type Fact =
  | { kind: "absent" }
  | { kind: "null" }
  | { kind: "text"; value: string }
  | { kind: "number"; value: number }
  | { kind: "flag"; value: boolean }
  | { kind: "function" }
  | { kind: "list"; items: Fact[] }
  | { kind: "object"; fields: Record<string, Fact> }
  /** Present, but nothing that can be written down: a symbol, a getter that throws, a cycle, too deep or too large. */
  | { kind: "unreadable"; reason: string };
