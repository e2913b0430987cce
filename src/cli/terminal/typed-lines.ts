import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** What comes from the keyboard. */
type Keyboard = Pick<NodeJS.ReadStream, "on" | "off" | "resume" | "pause" | "setRawMode" | "isRaw">;

/** The keyboard of one question. A library of prompts reads it as it reads the terminal's own. */
class Keys extends Readable {
  readonly #keyboard: Keyboard;

  constructor(keyboard: Keyboard) {
    super({ read() {} });
    this.#keyboard = keyboard;
  }

  get isRaw(): boolean {
    return this.#keyboard.isRaw;
  }

  setRawMode(on: boolean): this {
    this.#keyboard.setRawMode?.(on);
    return this;
  }
}

/** Whose question it is. */
export interface Asker {
  /**
   * Of several lines that were pasted into one of its questions, the next ones get a line each. Undefined: the question
   * wants an answer of its own.
   */
  asker?: string | undefined;
  /** The last answer was refused: what came behind that one is no answer to this. */
  again?: boolean;
}

/** The keys for one question, until it is left. */
export interface OpenKeys {
  /** What the question reads. */
  readonly keys: NodeJS.ReadStream;
  /** The question is answered or taken back: what came after its Enter is kept for the next one. */
  leave(): void;
}

/**
 * Deals out what is typed, a line for each question. Somebody who pastes several lines at once has answered the first
 * question with the first of them; the others are kept for the next questions of the same asker. Other questions do not
 * get them: nobody has agreed to anything by a line that was meant for something else.
 */
export class TypedLines {
  readonly #keyboard: Keyboard;
  readonly #tell: (left: number) => void;
  readonly #decoder = new StringDecoder("utf8");
  #kept = "";
  #asker: string | undefined;

  /** @param tell gets the number of lines, one at least, that no question took */
  constructor(keyboard: Keyboard, tell: (left: number) => void) {
    this.#keyboard = keyboard;
    this.#tell = tell;
  }

  /** The keys for one question. Put it when they are there: what was typed before that is no answer to it. */
  async open({ asker, again = false }: Asker): Promise<OpenKeys> {
    const goesOn = asker !== undefined && asker === this.#asker && !again;
    this.#asker = asker;
    const keys = new Keys(this.#keyboard);
    let isOpen = true;
    let isPut = false;
    const deal = () => {
      if (!isOpen) return;
      const [line] = /^[^\r\n]*(?:\r\n?|\n)?/.exec(this.#kept) ?? [""];
      this.#kept = this.#kept.slice(line.length);
      if (line !== "") keys.push(line);
      // Where the line was its answer, the question is left before this.
      if (this.#kept !== "") setImmediate(deal);
    };
    const onData = (piece: Buffer) => {
      const isDealing = this.#kept !== "";
      this.#kept += this.#decoder.write(piece);
      if (isPut && !isDealing) deal();
    };
    this.#keyboard.on("data", onData);
    this.#keyboard.resume();
    // What the system keeps comes in one turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (!goesOn) this.drop();
    isPut = true;
    setImmediate(deal);
    return {
      keys: keys as unknown as NodeJS.ReadStream,
      leave: () => {
        isOpen = false;
        this.#keyboard.off("data", onData);
        this.#keyboard.pause();
      },
    };
  }

  /** Forgets what was kept, and says how many lines that were. */
  drop(): void {
    const lines = this.#kept.split(/\r\n?|\n/).filter((line) => line.trim() !== "").length;
    this.#kept = "";
    if (lines > 0) this.#tell(lines);
  }
}
