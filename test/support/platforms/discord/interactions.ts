import { randomUUID } from "node:crypto";
import { DiscordRefusal } from "./routes.ts";

/** Milliseconds within which the bot must give its first answer. */
const firstAnswerMs = 3_000;

interface Waiting {
  token: string;
  askedAt: number;
  /** What was answered: `{type, data}` first, then texts. */
  answer: { type: number; content: string; flags: number } | null;
  follows: string[];
}

export interface DiscordCommand {
  name: string;
  description: string;
  /** What stands there instead for people who use Discord in these languages. */
  description_localizations?: Record<string, string> | null;
}

/** Presses and slash commands, and what the bot answered to them. */
export class Interactions {
  commands: DiscordCommand[] = [];
  readonly #waiting = new Map<string, Waiting>();

  open(id: string): string {
    const token = `itoken-${randomUUID()}`;
    this.#waiting.set(id, { token, askedAt: Date.now(), answer: null, follows: [] });
    return token;
  }

  answerTo(id: string): Waiting["answer"] {
    return this.#waiting.get(id)?.answer ?? null;
  }

  followsOf(id: string): string[] {
    return this.#waiting.get(id)?.follows ?? [];
  }

  answer(id: string, token: string, body: Record<string, unknown>): void {
    const waiting = this.#waiting.get(id);
    if (!waiting || waiting.token !== token || Date.now() - waiting.askedAt > firstAnswerMs) {
      throw new DiscordRefusal(404, 10062, "Unknown interaction");
    }
    if (waiting.answer) throw new DiscordRefusal(400, 40060, "Interaction has already been acknowledged.");
    const data = (body.data ?? {}) as { content?: string; flags?: number };
    waiting.answer = { type: Number(body.type), content: data.content ?? "", flags: data.flags ?? 0 };
  }

  edit(token: string, content: string): unknown {
    const waiting = this.#byToken(token);
    if (!waiting.answer) throw new DiscordRefusal(404, 10015, "Unknown Webhook");
    waiting.answer.content = content;
    return { id: "1", content };
  }

  follow(token: string, content: string): unknown {
    this.#byToken(token).follows.push(content);
    return { id: "1", content };
  }

  #byToken(token: string): Waiting {
    const found = [...this.#waiting.values()].find((waiting) => waiting.token === token);
    if (!found) throw new DiscordRefusal(404, 10015, "Unknown Webhook");
    return found;
  }
}
