import type { outsideStrings as en } from "../../en/debug/outside.ts";

export const outsideStrings: Record<keyof typeof en, string> = {
  "debug.tab.calls": "Aufrufe",
  "outside.title": "Aufrufe außerhalb von Unterhaltungen",
  "outside.text":
    "Von Hand, im Terminal oder von einem anderen Programm. Die neuesten {{most}} bleiben, bis Patchbay geschlossen wird.",
  "outside.empty": "Keine Aufrufe außerhalb von Unterhaltungen",
  "outside.emptyText":
    "Was Sie unter „Werkzeuge“ oder im Terminal aufrufen und was andere Programme aufrufen, steht hier.",
  "outside.byYou": "von Ihnen",
  "outside.chat": "aus dem Chat {{channel}}",
  "outside.running": "läuft",
  "outside.figure.call": "Aufruf",
  "outside.figure.tool": "Werkzeug",
};
