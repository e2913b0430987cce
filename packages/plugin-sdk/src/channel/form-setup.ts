import { randomUUID } from "node:crypto";
import type { ChannelSetup, ChannelSetupContext, SetupField, SetupState } from "../setup.ts";
import { failureOf } from "./failure.ts";
import type { ChannelPort } from "./transport.ts";

export interface FormStep {
  title: string;
  instructions?: string;
  fields: SetupField[];
  /** A sentence about what is wrong with the answers of this step; null when they are fine. */
  check?(values: Record<string, string>): string | null;
}

export interface FormSetupOptions {
  /** At least one. */
  steps: [FormStep, ...FormStep[]];
  /** Heading of the last step, which is shown while the platform checks the typed values. */
  proving: string;
  /**
   * Connects once with the typed values and resolves with the settings to store. The message of an error is shown above
   * the first form.
   */
  prove(
    values: Record<string, string>,
    ctx: ChannelSetupContext,
  ): Promise<{ config: Record<string, unknown>; account: string }>;
}

interface Session {
  values: Record<string, string>;
  step: number;
  state: SetupState;
  /** Milliseconds since 1970. */
  expires: number;
}

const TTL_MS = 30 * 60_000;

/** A setup made of forms. At its end it connects to the platform once, as a proof, and shows "connected as …". */
export function formSetup(options: FormSetupOptions): ChannelSetup {
  const sessions = new Map<string, Session>();
  const names = [...options.steps.map(({ title }) => title), options.proving];

  const formOf = (step: number, problem?: string): SetupState => {
    const { title, instructions, fields } = options.steps[step] ?? options.steps[0];
    return {
      kind: "awaiting_user_input",
      title,
      ...(instructions && { instructions }),
      ...(problem && { problem }),
      fields,
      steps: names,
      step,
    };
  };
  const sessionOf = (id: string): Session => {
    for (const [key, { expires }] of sessions) if (expires < Date.now()) sessions.delete(key);
    const session = sessions.get(id);
    if (!session) throw new Error("This setup has expired. Begin it again.");
    return session;
  };
  const next = async (session: Session, ctx: ChannelSetupContext): Promise<SetupState> => {
    if (session.step < options.steps.length) return formOf(session.step);
    try {
      return { kind: "done", ...(await options.prove(session.values, ctx)) };
    } catch (error) {
      session.step = 0;
      return formOf(0, failureOf(error).message);
    }
  };

  return {
    begin: async () => {
      const id = randomUUID();
      sessions.set(id, { values: {}, step: 0, state: formOf(0), expires: Date.now() + TTL_MS });
      return { sessionId: id, state: formOf(0) };
    },
    poll: async (id) => sessionOf(id).state,
    submit: async (id, input, ctx) => {
      const session = sessionOf(id);
      const form = options.steps[session.step] ?? options.steps[0];
      for (const { key } of form.fields) session.values[key] = String(input[key] ?? "").trim();
      const missing = form.fields.find(({ key, required }) => required && session.values[key] === "");
      const problem = missing ? `${missing.label} is missing.` : (form.check?.(session.values) ?? null);
      if (problem !== null) session.state = formOf(session.step, problem);
      else {
        session.step += 1;
        session.state = await next(session, ctx);
      }
      return session.state;
    },
    cancel: async (id) => void sessions.delete(id),
  };
}

/** The items of a typed list, which are separated by commas or line ends. */
export function listOf(text: string | undefined): string[] {
  return (text ?? "")
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/**
 * A port for connecting once, as a proof. It never accepts a message, so none is acknowledged and the platform keeps
 * them for the real connection.
 */
export const deafPort: ChannelPort = {
  message: () => new Promise(() => {}),
  left: () => {},
  back: () => {},
  mayWrite: async () => false,
  press: async () => "",
  lost: () => {},
  trouble: () => {},
  degraded: () => {},
};
