import type { matrixStrings as en } from "../../en/plugins/matrix.ts";

export const matrixStrings: Record<keyof typeof en, string> = {
  "matrix.open": "Matrix",
  "matrix.list": "Liste",
  "matrix.subtitle": "Jedes Plugin und jeder Agent: wer was hat und wie es darum steht",
  "matrix.label": "Plugins und Agenten",
  "matrix.plugin": "Plugin",
  "matrix.search": "Plugin finden",
  "matrix.none": "Noch ist kein Plugin installiert.",
  "matrix.nothingFound": "Kein Plugin mit diesem Namen.",
  "matrix.switchOn": "{{name}} für {{agent}} einschalten",
  "matrix.switchOff": "{{name}} für {{agent}} ausschalten",
  "matrix.cell": "{{name}} für {{agent}}",
  "matrix.openPlugin": "{{name}} öffnen",
  "matrix.keys": "Pfeiltasten bewegen, Leertaste schaltet, Pos1 und Ende gehen an die Ränder.",
  "matrix.counts": "{{on}} von {{count}} an",
};
