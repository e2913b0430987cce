import type { toolStrings as en } from "../../en/agents/tools.ts";

export const toolStrings: Record<keyof typeof en, string> = {
  "tools.does.shell": "Führt einen Befehl auf diesem Computer aus, im Ordner des Agenten.",
  "tools.does.read_file": "Liest eine Textdatei aus dem Ordner des Agenten.",
  "tools.does.list_files": "Listet auf, was in einem Ordner des Agenten liegt.",
  "tools.does.write_file": "Schreibt eine Textdatei in den Ordner des Agenten und ersetzt, was dort stand.",
  "tools.does.send_file": "Schickt eine Datei aus dem Ordner des Agenten in den Chat.",
  "tools.inItsWords": "{{plugin}} sagt dazu: „{{text}}“",
  "tools.always":
    "„Immer“ lässt {{agent}} von nun an {{tool}} ohne Frage benutzen, mit beliebigen Argumenten.",
  "tools.alwaysFor":
    "„Immer“ lässt {{agent}} von nun an {{tool}} ohne Frage benutzen, wenn {{user}} über {{channel}} es will, mit beliebigen Argumenten.",
  "tools.foldedAbove": "{{size}} der Argumente sind eingeklappt.",
  "tools.showFolded": "Alles zeigen",
};
