/** The confirmation codes and links that a running Patchbay shows in its terminal, as a person would read them there. */
export class TerminalCodes {
  readonly #codes: string[] = [];
  readonly #links: string[] = [];
  #change = Promise.withResolvers<void>();
  #rest = "";

  /** Takes a piece of what the terminal shows. */
  take(chunk: Buffer | string): void {
    const lines = (this.#rest + String(chunk)).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, code] = /^Confirmation code (\d{3} \d{3}),/.exec(line) ?? [];
      const [link] = /http:\/\/127\.0\.0\.1:\d+\/#link=\S+/.exec(line) ?? [];
      if (code !== undefined) this.#codes.push(code);
      if (link !== undefined) this.#links.push(link);
    }
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** How many codes were shown so far. */
  get count(): number {
    return this.#codes.length;
  }

  /** The newest code, once more than `count` were shown. */
  async after(count: number): Promise<string> {
    while (this.#codes.length <= count) await this.#change.promise;
    return this.#codes.at(-1) as string;
  }

  /** The newest link, once `number` of them were shown. */
  async link(number = 1): Promise<string> {
    while (this.#links.length < number) await this.#change.promise;
    return this.#links.at(-1) as string;
  }

  get links(): number {
    return this.#links.length;
  }
}

interface Asked {
  ok: boolean;
  value: unknown;
}

/**
 * Makes a request as a program does that has somebody at the terminal: when the app wants the person's word, the code is
 * read there and typed, and the request is made again.
 */
export async function askConfirming(
  codes: TerminalCodes,
  send: (method: string, path: string, body?: unknown) => Promise<Asked>,
  [method, path, body]: [method: string, path: string, body?: unknown],
): Promise<Asked> {
  const before = codes.count;
  const answer = await send(method, path, body);
  if (answer.ok || codeOf(answer.value) !== "CONFIRMATION_NEEDED") return answer;
  await send("POST", "/confirm", { code: await codes.after(before) });
  return send(method, path, body);
}

/** The code of a failure as REST or the command line answers it. */
export function codeOf(value: unknown): string | undefined {
  const problem = value as { code?: string; error?: { code?: string } } | null;
  return problem?.error?.code ?? problem?.code;
}
