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
  "outside.byProgram": "von Ihnen über {{program}}",
  "outside.byChat": "aus dem Chat {{channel}}",
  "outside.tool.running": "{{tool}} wurde {{by}} aufgerufen, und es ist noch nicht zu Ende.",
  "outside.tool.executed": "{{tool}} wurde {{by}} aufgerufen, und es hat geklappt.",
  "outside.tool.failed": "{{tool}} wurde {{by}} aufgerufen, und es ist gescheitert: {{problem}}",
  "outside.tool.vetoed": "{{tool}} wurde {{by}} aufgerufen, und es wurde verhindert: {{problem}}",
  "outside.tool.denied": "{{tool}} wurde {{by}} aufgerufen. Das ist verboten: {{problem}}",
  "outside.tool.rejected": "{{tool}} wurde {{by}} aufgerufen, und es wurde nicht erlaubt.",
  "outside.tool.timed_out": "{{tool}} wurde {{by}} aufgerufen, und es dauerte zu lange: {{problem}}",
  "outside.running": "läuft",
  "outside.figure.call": "Aufruf",
  "outside.figure.tool": "Werkzeug",
};
