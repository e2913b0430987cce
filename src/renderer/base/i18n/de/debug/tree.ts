import type { treeStrings as en } from "../../en/debug/tree.ts";

export const treeStrings: Record<keyof typeof en, string> = {
  "debug.tree": "Baum der Unterhaltung",
  "debug.treeText":
    "Gehen Sie an jede Stelle zurück und von dort aus weiter. Was danach gesagt wurde, bleibt hier stehen.",
  "debug.treeEmpty": "Noch wurde nichts gesagt",
  "debug.treeEmptyText":
    "Jede Nachricht und jede Antwort wird zu einer Stelle, an die Sie zurückgehen können.",
  "debug.kind.user": "Nachricht:",
  "debug.kind.assistant": "Antwort:",
  "debug.kind.tools": "Aufrufe:",
  "debug.kind.command": "Befehl:",
  "debug.kind.compaction": "Zusammenfassung:",
  "debug.kind.other": "Text:",
  "debug.name": "„{{text}}“ benennen",
  "debug.nameOf": "Name dieser Stelle",
  "debug.editFrom": "„{{text}}“ neu schreiben",
  "debug.goFrom": "Nach „{{text}}“ weitermachen",
};
