import type { PersonAct } from "../../contract/index.ts";

/** Who talks to the core, as the transport knows it. */
export type Asker =
  /** A window of the desktop app. */
  | { kind: "window" }
  | { kind: "screen"; id: string; name: string }
  /**
   * A program with the token of the command line. `name` is a text that it made up and that no other program knows:
   * what is confirmed holds for this name. Null: nothing can be confirmed for it. `letIn`: a program with a token for an
   * agent's tools, as the person named it.
   */
  | { kind: "program"; name: string | null; letIn?: string };

/** What a procedure knows of its caller. */
export interface Caller {
  /** `here`: whoever holds the core in their own process. */
  readonly asker: Asker | { kind: "here" };
  /**
   * Resolves when the person is known to want this.
   * @throws PatchbayError CONFIRMATION_NEEDED, CONFIRMATION_LOCKED, ABORTED
   */
  prove(act: PersonAct): Promise<void>;
}

/**
 * A caller in the core's own process: a command without a running app, or the shell itself. Whoever runs that holds the
 * store, and nothing here could keep it from them. `prove` may ask them in its own way.
 */
export function callerHere(prove: Caller["prove"] = async () => {}): Caller {
  return { asker: { kind: "here" }, prove };
}

/** For the audit log and for questions: who asks. */
export function nameOf(asker: Asker): string {
  switch (asker.kind) {
    case "window":
      return "the window";
    case "screen":
      return `a screen (${asker.name})`;
    case "program":
      return asker.letIn === undefined
        ? "a program with the command line's token"
        : `a program that was let in (${asker.letIn})`;
  }
}
