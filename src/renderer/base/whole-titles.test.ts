import { afterEach, beforeEach, expect, test } from "vitest";
import { tellWholeTexts } from "./whole-titles.ts";

let life: AbortController;
beforeEach(() => {
  life = new AbortController();
  tellWholeTexts(life.signal);
});
afterEach(() => {
  life.abort();
  document.body.replaceChildren();
});

/** A paragraph whose text takes `needed` pixels of the `given` ones. */
function paragraph(text: string, given: number, needed: number): HTMLElement {
  const element = document.createElement("p");
  element.className = "truncate";
  element.textContent = text;
  element.innerText = text;
  let width = given;
  Object.defineProperties(element, {
    clientWidth: { get: () => width },
    scrollWidth: { value: needed },
    room: { set: (to: number) => (width = to) },
  });
  document.body.append(element);
  return element;
}
const pointAt = (element: HTMLElement) => element.dispatchEvent(new Event("pointerover", { bubbles: true }));

test("a text that is cut says itself whole, and nothing once it has room", () => {
  const text = paragraph("A long name", 40, 90);
  pointAt(text);
  expect(text.title).toBe("A long name");
  Object.assign(text, { room: 200 });
  pointAt(text);
  expect(text.title).toBe("");
});

test("a title of its own stays", () => {
  const text = paragraph("A long name", 40, 90);
  text.title = "Something else";
  pointAt(text);
  expect(text.title).toBe("Something else");
});

test("a text that has room gets no title", () => {
  const text = paragraph("Short", 90, 40);
  pointAt(text);
  expect(text.title).toBe("");
});
