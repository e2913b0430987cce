import type { Locator, Page } from "@playwright/test";
import { tabTo } from "./axe.ts";

/** Seconds that a person needs to find and press something, to press a key, and to type a character. */
const perPress = 1.2;
const perTab = 0.4;
const perCharacter = 0.2;

/**
 * A person at the screen, by mouse or by keyboard alone: counts what they do, and how long it takes them. What the app
 * lets them wait is real time; what they do is counted at a person's pace.
 */
export class Pace {
  presses = 0;
  tabs = 0;
  characters = 0;
  readonly #page: Page;
  readonly #hand: "mouse" | "keyboard";
  readonly #begun = performance.now();

  constructor(page: Page, hand: "mouse" | "keyboard") {
    this.#page = page;
    this.#hand = hand;
  }

  async press(target: Locator): Promise<void> {
    this.presses += 1;
    if (this.#hand === "mouse") return target.click();
    await this.#reach(target);
    await this.#page.keyboard.press("Enter");
  }

  async type(target: Locator, text: string): Promise<void> {
    if (this.#hand === "mouse") await this.press(target);
    else await this.#reach(target);
    await this.#page.keyboard.type(text);
    this.characters += text.length;
  }

  /** Seconds from the first screen until now: what was done at a person's pace, and what was really waited. */
  seconds(): number {
    const waited = (performance.now() - this.#begun) / 1_000;
    return waited + this.presses * perPress + this.tabs * perTab + this.characters * perCharacter;
  }

  async #reach(target: Locator): Promise<void> {
    await target.waitFor();
    this.tabs += await tabTo(this.#page, target);
  }
}
