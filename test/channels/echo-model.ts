import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openaiStream } from "../agents/model-server.ts";

interface ChatRequest {
  messages: { role: string; content: string | { type: string; text?: string }[]; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
}

/**
 * A model on loopback whose answers say what was asked: `re: <text>`. What it is told to do: `long N` gives N numbered
 * lines, `marked` gives Markdown of every kind, `use TOOL JSON` calls a tool and then tells its result, `slowly TEXT`
 * waits for `release` before that, `recall` tells what the same person said before in this session.
 */
export class EchoModel {
  readonly url: string;
  /** Texts that a turn was run for, in order; one that is run twice is here twice. */
  readonly asked: string[] = [];
  /** The system prompts of these turns, in the same order. */
  readonly told: string[] = [];
  readonly #server: ReturnType<typeof createServer>;
  readonly #held: (() => void)[] = [];
  #waiting: (() => void)[] = [];

  static async open(): Promise<EchoModel> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new EchoModel(server);
  }

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", async () => {
        const answer = await this.#answer(JSON.parse(Buffer.concat(chunks).toString("utf8")) as ChatRequest);
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const event of openaiStream(answer)) response.write(event);
        response.end();
      });
    });
  }

  /** How often a turn was run for this text. */
  turns(text: string): number {
    return this.asked.filter((asked) => asked === text).length;
  }

  /** Resolves when turns for so many `slowly` messages wait. */
  async holding(count = 1): Promise<void> {
    while (this.#held.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Lets the turns go on that wait. */
  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

  async close(): Promise<void> {
    this.release();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer({ messages }: ChatRequest): Promise<Parameters<typeof openaiStream>[0]> {
    const last = messages.at(-1);
    if (last?.role === "tool") return { text: [`tool said: ${textOf(last).slice(0, 200)}`] };
    const text = last ? textOf(last) : "";
    this.asked.push(text);
    this.told.push(
      messages
        .filter(({ role }) => role === "system" || role === "developer")
        .map(textOf)
        .join("\n"),
    );
    if (text.includes("slowly")) {
      await new Promise<void>((go) => {
        this.#held.push(go);
        for (const wake of this.#waiting.splice(0)) wake();
      });
    }
    if (text === "recall") {
      const before = messages.filter(({ role }) => role === "user").slice(0, -1);
      return { text: [`you said: ${before.map(textOf).join(" | ") || "nothing"}`] };
    }
    const [, count] = /long (\d+)/.exec(text) ?? [];
    if (count) return { text: numberedLines(Number(count)) };
    if (text.includes("marked")) return { text: MARKED.split(/(?<= )/) };
    const [, tool, input] = /use (\S+) (\{.*\})/.exec(text) ?? [];
    if (tool && input)
      return { calls: [{ id: `call-${this.asked.length}`, name: tool, arguments: [input] }] };
    return { text: ["re: ", ...text.split(/(?<= )/)] };
  }
}

/** What `marked` answers. */
const MARKED = `# A **title**

A [page](https://example.org/a) is **bold** and ~~gone~~, ![a picture](https://example.org/b.png)

- [x] done

| left | right |
|------|-------|
| one  | two   |

the end`;

/** What `long N` answers, line by line. */
export function numberedLines(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index + 1}: the quick brown fox\n`);
}

function textOf({ content }: ChatRequest["messages"][number]): string {
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("");
}
