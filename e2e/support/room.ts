import { expect, type Page } from "@playwright/test";
import { settled } from "./axe.ts";

/** Something on a screen that a person cannot read or reach. */
export interface RoomFault {
  kind: /** The screen as a whole is wider than its window. */
    | "scrolls sideways"
    /** A text ends at the edge of its box, without an ellipsis. */
    | "cut text"
    /** A text ends in an ellipsis, and no title says it whole. */
    | "no title"
    /** Of a text that is longer, some six letters are left or fewer. */
    | "shrunk"
    /** A text reaches out of its box. */
    | "spills"
    /** A control lies outside of the window, however one scrolls. */
    | "off screen"
    /** A part of a control is cut away by what it lies in. */
    | "cut control"
    /** Something else lies over a control. */
    | "covered"
    /** A screen could not be come to at all. */
    | "no way";
  /** The text, or the control's name. */
  what: string;
  /** Where it is: the elements around it, and what cuts or covers it. */
  where: string;
}

/**
 * Looks at everything that is drawn now, in one window: each text and each control, scrolled into sight as a person
 * would. With a dialog open only the dialog is looked at. Places that were scrolled are as before afterwards.
 */
export async function roomFaults(page: Page): Promise<RoomFault[]> {
  await settled(page);
  return page.evaluate(look);
}

/** Fails when a text or a control of what is shown now has too little room; `what` names it in the report. */
export async function expectRoom(page: Page, what: string): Promise<void> {
  expect.soft(await roomFaults(page), what).toEqual([]);
}

/** Runs in the page. */
function look(): RoomFault[] {
  const faults: RoomFault[] = [];
  const slack = 1.5;
  const modals = [
    ...document.querySelectorAll<HTMLElement>("dialog:modal, [role=dialog], [role=alertdialog], [role=menu]"),
  ];
  const root = modals.findLast((modal) => modal.checkVisibility()) ?? document.body;
  const scrolled = [...document.querySelectorAll("*")]
    .filter(
      (element) => element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth,
    )
    .map((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      return {
        element,
        top: element.scrollTop,
        left: element.scrollLeft,
        fixedX: overflowX !== "auto" && overflowX !== "scroll",
        fixedY: overflowY !== "auto" && overflowY !== "scroll",
      };
    });
  /** A program can scroll what a person cannot. */
  const scrollAsPerson = (control: HTMLElement, block: ScrollLogicalPosition) => {
    control.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
    for (const { element, top, left, fixedX, fixedY } of scrolled) {
      if (fixedX && element.scrollLeft !== left) element.scrollLeft = left;
      if (fixedY && element.scrollTop !== top) element.scrollTop = top;
    }
  };

  const seen = (element: Element) => {
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    if (element.closest("[inert], svg")) return false;
    // What only a screen reader is told is one pixel in size.
    for (let at: Element | null = element; at && at !== root; at = at.parentElement) {
      const { width, height } = at.getBoundingClientRect();
      if (width <= 1 && height <= 1) return false;
    }
    return true;
  };
  const named = (element: Element) => {
    const text = element.getAttribute("aria-label") ?? element.textContent ?? "";
    const name = text.trim() || (element.getAttribute("name") ?? element.getAttribute("id") ?? "");
    return `${element.tagName.toLowerCase()} ${name.replace(/\s+/g, " ").slice(0, 80)}`;
  };
  const around = (element: Element) => {
    const parts: string[] = [];
    for (let at = element.parentElement; at && at !== root && parts.length < 4; at = at.parentElement) {
      const classes = at.getAttribute("class")?.split(" ").slice(0, 4).join(".");
      parts.push(`${at.tagName.toLowerCase()}${classes ? `.${classes}` : ""}`);
    }
    return parts.join(" < ");
  };
  const add = (kind: RoomFault["kind"], element: Element, more = "") =>
    faults.push({ kind, what: named(element), where: `${around(element)}${more && ` | ${more}`}` });
  /** The box inside of an element's borders. */
  const inner = (element: Element) => {
    const box = element.getBoundingClientRect();
    const left = box.left + element.clientLeft;
    const top = box.top + element.clientTop;
    return { left, top, right: left + element.clientWidth, bottom: top + element.clientHeight };
  };
  const cuts = (overflow: string) => overflow === "hidden" || overflow === "clip";

  const screen = document.scrollingElement;
  if (screen && screen.scrollWidth > innerWidth + slack)
    faults.push({ kind: "scrolls sideways", what: `${screen.scrollWidth} px`, where: `${innerWidth} px` });

  const lookAtText = (element: HTMLElement, drawn: DOMRect[], text: string) => {
    let rects = drawn;
    // A title may be given when somebody points at the text.
    element.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    const title = element.closest("[title]")?.getAttribute("title") ?? "";
    const whole = title.replace(/\s+/g, " ").includes(text.replace(/\s+/g, " ").trim());
    for (let at: HTMLElement | null = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      const box = inner(at);
      const sideways = rects.some(({ left, right }) => right > box.right + slack || left < box.left - slack);
      const below = rects.some(({ top, bottom }) => bottom > box.bottom + 3 || top < box.top - 3);
      if (cuts(style.overflowX) && sideways) {
        if (style.textOverflow !== "ellipsis") return add("cut text", element, named(at).slice(0, 60));
        if (!whole) return add("no title", element);
        if (at.clientWidth < 48 && text.trim().length > 6) return add("shrunk", element);
        return;
      }
      if (cuts(style.overflowY) && below) {
        if (style.webkitLineClamp === "none") return add("cut text", element, named(at).slice(0, 60));
        if (!whole) return add("no title", element);
        return;
      }
      // What scrolls may hold more than it shows, and has to have room itself.
      if (style.overflowX === "auto" || style.overflowX === "scroll") {
        rects = [at.getBoundingClientRect()];
        continue;
      }
      // Spaces at a line's end hang over, which makes the box no wider.
      const wider = at.scrollWidth > at.clientWidth + slack;
      if (
        sideways &&
        wider &&
        style.display !== "inline" &&
        style.display !== "contents" &&
        at.clientWidth > 0
      )
        return add("spills", element, named(at).slice(0, 60));
      if (style.position === "fixed" || style.position === "absolute") return;
    }
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent ?? "";
    const element = node.parentElement;
    if (text.trim() === "" || !element || !seen(element) || element.closest(".cm-editor")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    if (rects.length > 0) lookAtText(element, rects, text);
  }

  const lookAtControl = (control: HTMLElement) => {
    const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
    const mine = (hit: Element | null) =>
      hit !== null &&
      (control.contains(hit) ||
        hit.contains(control) ||
        labels.some((label) => label.contains(hit)) ||
        // What is offered while somebody types goes away with the next key.
        hit.closest("[role=listbox]") !== null);
    let worst: { kind: RoomFault["kind"]; more: string } | undefined;
    for (const block of ["nearest", "center", "start", "end"] as const) {
      scrollAsPerson(control, block);
      const box = control.getBoundingClientRect();
      const x = (box.left + box.right) / 2;
      const y = (box.top + box.bottom) / 2;
      if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) {
        worst = { kind: "off screen", more: `${Math.round(x)}, ${Math.round(y)}` };
        continue;
      }
      const points = [
        [x, y],
        [box.left + box.width / 4, y],
        [box.right - box.width / 4, y],
      ] as const;
      const hits = points.map(([atX, atY]) => document.elementFromPoint(atX, atY));
      const over = hits.find((hit) => !mine(hit));
      if (over !== undefined) {
        worst = { kind: "covered", more: over === null ? "nothing" : named(over).slice(0, 60) };
        continue;
      }
      const cutter = cutBy(control, box);
      worst = cutter && { kind: "cut control", more: named(cutter).slice(0, 60) };
      if (!worst) return;
    }
    if (worst) add(worst.kind, control, worst.more);
  };
  const cutBy = (control: HTMLElement, box: DOMRect) => {
    for (let at = control.parentElement; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.display === "contents") continue;
      const edge = inner(at);
      if (style.overflowX !== "visible" && box.width <= at.clientWidth)
        if (box.left < edge.left - slack || box.right > edge.right + slack) return at;
      if (cuts(style.overflowX) && box.width > at.clientWidth + slack) return at;
      if (style.position === "fixed") return;
    }
    return;
  };
  const controls =
    "button, a[href], input, select, textarea, summary, [role=switch], [role=tab], [role=menuitem], [role=option], [tabindex='0']";
  for (const control of root.querySelectorAll<HTMLElement>(controls)) {
    if (!seen(control) || control.matches(":disabled, [aria-hidden=true] *, .cm-editor *")) continue;
    lookAtControl(control);
  }
  for (const { element, top, left } of scrolled) element.scrollTo({ top, left, behavior: "instant" });
  return faults;
}
