import type { jsonStrings as en } from "../../en/debug/json.ts";

export const jsonStrings: Record<keyof typeof en, string> = {
  "diff.before": "Vorher:",
  "diff.after": "Nachher:",
  "diff.added": "Neu:",
  "diff.removed": "Entfernt:",
  "diff.label": "Was sich geändert hat",
  "diff.same": "Nichts hat sich geändert",
  "diff.unchanged_one": "eine unveränderte Zeile",
  "diff.unchanged_other": "{{count}} unveränderte Zeilen",
  "json.copyPath": "Pfad kopieren",
  "json.copyValue": "Wert kopieren",
  "json.more_one": "ein weiterer Eintrag",
  "json.more_other": "{{count}} weitere Einträge",
  "json.inside_one": "ein Eintrag",
  "json.inside_other": "{{count}} Einträge",
};
