import type { PlatformUnderTest } from "./platform.ts";

/** Many people on one platform, each in a direct conversation with the bot. */
export interface Crowd extends PlatformUnderTest {
  readonly size: number;
  /** The platform keeps what is said while the bot is away. Else nothing is said meanwhile. */
  readonly keepsMessages: boolean;
  /** Most times that the last message of a conversation may come again after each cut or kill. */
  readonly repeats: 0 | 1;
  sayAs(person: number, text: string): Promise<void>;
  /** What the bot said to one of them, oldest first. */
  heardBy(person: number): readonly string[];
}

/** Runs a step for each, some at a time: connecting is work for both sides. */
export async function someAtATime<T>(
  all: readonly T[],
  atATime: number,
  step: (one: T) => Promise<void>,
): Promise<void> {
  const waiting = [...all];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await step(one);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}
