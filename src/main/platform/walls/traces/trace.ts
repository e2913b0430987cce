import type { Duplex } from "node:stream";
import type { Attempt } from "../wall.ts";
import { attemptOf, lastProcess } from "./attempt-of.ts";
import { type Watch, type Watched, watch } from "./watcher.ts";

/** Processes that a wall has besides those that it was made for. */
const FEW = 8;

/** What the processes behind one wall try, as the watcher hears it. */
export class Trace {
  readonly #refused: (attempt: Attempt) => void;
  readonly #watch: Watch;
  /** Numbers of processes are given out one after the other, so that this tells how many there can be behind the wall. */
  readonly #before = lastProcess();
  readonly #judging = new Set<Promise<void>>();
  readonly #told = new Set<string>();

  /** @param lost nobody watches any more, and the processes can open no files */
  constructor(what: Watched, refused: (attempt: Attempt) => void, lost: () => void) {
    this.#refused = refused;
    this.#watch = watch(what, (words) => this.#judge(words), lost);
  }

  /**
   * Answers the starter, which says over this line where its listener is.
   *
   * @param starter its process id on this machine; undefined when it has ended
   */
  answer(line: Duplex, starter: () => number | undefined): void {
    line.on("error", () => {});
    line.setEncoding("utf8");
    line.on("data", async (text: string) => {
      const pid = starter();
      if (pid === undefined) return void line.end("lost\n");
      if (text.startsWith("try")) line.write((await this.#watch.try(pid)) ? "can\n" : "no\n");
      else line.end((await this.#watch.take(pid, Number(text))) ? "went\n" : "lost\n");
    });
  }

  /** Resolves when everything was told. To be called when the process has ended. */
  async over(): Promise<void> {
    await this.#watch.gone();
    await Promise.all(this.#judging);
  }

  #judge(words: string[]): void {
    const judged = attemptOf(words, (pid) => this.#isForeign(pid)).then((attempt) => {
      this.#judging.delete(judged);
      if (!attempt || this.#told.has(`${attempt.wall} ${attempt.target}`)) return;
      this.#told.add(`${attempt.wall} ${attempt.target}`);
      this.#refused(attempt);
    });
    this.#judging.add(judged);
  }

  #isForeign(pid: number): boolean {
    const since = lastProcess() - this.#before;
    return since >= 0 && pid > since + FEW;
  }
}
