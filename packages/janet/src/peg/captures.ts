import { textOf } from "../print/describe.ts";
import type { Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";

/** The captures of a match under way. */
export class Captures {
  readonly values: Value[] = [];
  /** Inside of `accumulate`: the pieces of text so far. */
  readonly scratch: string[] = [];
  accumulating = false;
  private readonly backrefs: boolean;
  private readonly tags: number[] = [];
  private readonly tagged: Value[] = [];

  /** @param backrefs whether captures must be found again by their tags */
  constructor(backrefs: boolean) {
    this.backrefs = backrefs;
  }

  clear(): void {
    this.values.length = 0;
    this.scratch.length = 0;
    this.tags.length = 0;
    this.tagged.length = 0;
    this.accumulating = false;
  }

  push(value: Value, tag: number): void {
    if (this.accumulating) this.scratch.push(textOf(value));
    else this.values.push(value);
    if (this.backrefs) {
      this.tags.push(tag);
      this.tagged.push(value);
    }
  }

  /** A number that was read: what accumulates takes its text as it stands there. */
  pushNumber(value: Value, text: string, tag: number): void {
    if (this.accumulating && !this.backrefs) this.scratch.push(text);
    else this.push(value, tag);
  }

  /** The last capture with a tag (0: with none); undefined when there is none. */
  find(tag: number): Value | undefined {
    const at = this.tags.lastIndexOf(tag);
    return at < 0 ? undefined : this.tagged[at];
  }

  save(frame: Frame): void {
    frame.captures = this.values.length;
    frame.tagged = this.tags.length;
    frame.scratch = this.scratch.length;
    frame.mode = this.accumulating ? 1 : 0;
  }

  /** All as it was. */
  restore(frame: Frame): void {
    this.dropValues(frame);
    this.dropTags(frame);
    this.accumulating = frame.mode === 1;
  }

  /** Without the captures since then, which can still be found by their tags. */
  dropValues(frame: Frame): void {
    if (this.values.length > frame.captures) this.values.length = frame.captures;
    if (this.scratch.length > frame.scratch) this.scratch.length = frame.scratch;
  }

  /** The captures since then are not found by tags any more; with a tag, only those that have it. */
  dropTags(frame: Frame, tag = 0): void {
    if (this.tags.length <= frame.tagged) return;
    const tags = this.tags.splice(frame.tagged);
    const values = this.tagged.splice(frame.tagged);
    if (tag === 0) return;
    tags.forEach((other, at) => {
      if (other === tag) return;
      this.tags.push(other);
      this.tagged.push(values[at] as Value);
    });
  }

  /** The text that was accumulated since then. */
  accumulatedSince(frame: Frame): string {
    return this.scratch.slice(frame.scratch).join("");
  }

  since(frame: Frame): Value[] {
    return this.values.slice(frame.captures);
  }
}
