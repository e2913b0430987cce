import type { ClientLink } from "@orpc/client";
import {
  type ConfirmationAsked,
  confirmationAskedSchema,
  PatchbayError,
  type PersonAct,
  problemFromWire,
} from "../contract/index.ts";
import type { Client } from "./context.ts";
import type { Output } from "./terminal/output.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** How a command gets the person's word. */
export interface PersonHere {
  terminal: Pick<Terminal, "interactive" | "ask" | "confirm">;
  output: Pick<Output, "json" | "note">;
  signal: AbortSignal;
  /** The code or passphrase given in advance with `--confirm`. */
  given?: string | undefined;
}

type Link = ClientLink<Record<never, never>>;

const mostTries = 3;
/** Acts of commands that ask for a "yes" themselves, or are given one as an option. */
const askedByCommand: readonly PersonAct[] = ["install", "run", "risk", "screen"];

/** For a core in this process: at a terminal, a typed "yes" is the person's word. */
export function provedHere({ terminal, output, signal }: PersonHere): (act: PersonAct) => Promise<void> {
  let isProved = false;
  return async (act) => {
    if (isProved || askedByCommand.includes(act) || !terminal.interactive || output.json) return;
    isProved = await terminal.confirm("This is for you alone to decide. Go on?", signal);
    if (!isProved) throw new PatchbayError("ABORTED", "It was not confirmed.");
  };
}

/**
 * A link to a running app that asks the person for their word when the app wants it, and then makes the call again.
 * @param client over the bare link
 */
export function confirming(link: Link, client: Pick<Client, "access">, person: PersonHere): Link {
  return {
    async call(path, input, options) {
      try {
        return await link.call(path, input, options);
      } catch (error) {
        const asked = askedOf(error);
        if (!asked || !(await confirm(client, asked, person))) throw error;
        return link.call(path, input, options);
      }
    },
  };
}

function askedOf(error: unknown): ConfirmationAsked | undefined {
  const { code, details } = problemFromWire(error);
  return code === "CONFIRMATION_NEEDED" ? confirmationAskedSchema.safeParse(details).data : undefined;
}

/** False when nobody can be asked: the failure then says what is missing. */
async function confirm(
  client: Pick<Client, "access">,
  { ways }: ConfirmationAsked,
  { terminal, output, signal, given }: PersonHere,
): Promise<boolean> {
  const answer = (typed: string) => {
    const isCode = ways.includes("code") && /^\s*\d{3}\s*\d{3}\s*$/.test(typed);
    return client.access.confirm(isCode ? { code: typed } : { passphrase: typed });
  };
  if (ways.length === 0) return false;
  if (given !== undefined) {
    await answer(given);
    return true;
  }
  if (!terminal.interactive || output.json) return false;
  const from = [
    ...(ways.includes("code") ? ["the code in the terminal where Patchbay runs"] : []),
    ...(ways.includes("passphrase") ? ["the passphrase of your secrets"] : []),
  ].join(", or ");
  output.note("This is for you alone to decide.");
  for (let tries = 0; tries < mostTries; tries += 1) {
    const typed = await terminal.ask(`Type ${from}: `, signal);
    if (typed === "") return false;
    try {
      await answer(typed);
      return true;
    } catch (error) {
      output.note(problemFromWire(error).message);
    }
  }
  return false;
}
