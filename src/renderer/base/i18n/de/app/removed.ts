import type { removedStrings as en } from "../../en/app/removed.ts";

export const removedStrings: Record<keyof typeof en, string> = {
  "prefs.section.removed": "Entfernt",
  "prefs.help.removed":
    "Was Sie entfernen, wird {{count}} Tage aufbewahrt: Plugins, Agenten, Unterhaltungen. Danach wird es endgültig gelöscht.",
  "removed.none": "Hier wird nichts aufbewahrt",
  "removed.noneText": "Was Sie entfernen, lässt sich {{count}} Tage lang von hier wiederherstellen.",
  "removed.kind.plugin": "Plugin",
  "removed.kind.agent": "Agent",
  "removed.kind.session": "Unterhaltung",
  "removed.kind.file": "Beiseitegelegt",
  "removed.at": "Entfernt {{ago}}",
  "removed.asideAt": "Beiseitegelegt {{ago}}",
  "removed.until": "Wird am {{date}} endgültig gelöscht",
  "removed.kept": "Mit aufbewahrt: {{what}}.",
  "removed.with": "Mit {{agent}}.",
  "removed.fileText":
    "Patchbay konnte diese Datei nicht verwenden und arbeitet mit einer guten Kopie oder ohne sie weiter. Nichts davon wird benutzt.",
  "removed.fileOf":
    "Eine Datei von {{agent}}, die Patchbay nicht verwenden konnte. Es arbeitet mit einer guten Kopie oder ohne sie weiter. Nichts davon wird benutzt.",
  "removed.show": "Ansehen",
  "removed.showName": "Ansehen: {{name}}",
  "removed.liesIn": "Sie liegt unter {{path}}.",
  "removed.copyText": "Text kopieren",
  "removed.saveCopy": "Kopie speichern",
  "removed.settingsOf": "Einstellungen für {{agents}}",
  "removed.pluginSettings_one": "Einstellungen für ein Plugin",
  "removed.pluginSettings_other": "Einstellungen für {{count}} Plugins",
  "removed.conversations_one": "eine Unterhaltung",
  "removed.conversations_other": "{{count}} Unterhaltungen",
  "removed.secrets_one": "ein gespeichertes Geheimnis",
  "removed.secrets_other": "{{count}} gespeicherte Geheimnisse",
  "removed.keyTaken":
    "Ein anderes Plugin hat jetzt seinen Schlüssel. Deinstallieren Sie es, um dieses wiederherzustellen.",
  "removed.idTaken":
    "Es gibt jetzt einen Agenten mit derselben Kennung. Entfernen Sie ihn, um diesen wiederherzustellen.",
  "removed.agentGone": "Stellen Sie zuerst {{agent}} wieder her: Die Unterhaltung gehört dazu.",
  "removed.restore": "Wiederherstellen",
  "removed.restoreName": "Wiederherstellen: {{name}}",
  "removed.back": "{{name}} ist wieder da.",
  "removed.delete": "Endgültig löschen",
  "removed.deleteName": "Endgültig löschen: {{name}}",
  "removed.deleteTitle": "{{name}} endgültig löschen?",
  "removed.deleted": "{{name}} ist endgültig gelöscht.",
  "removed.goes.plugin":
    "Die Dateien des Plugins, auch die der Versionen, zu denen Sie zurückkehren könnten.",
  "removed.goes.agent":
    "Der Agent, mit seinen Regeln und seinem Arbeitsordner, wenn Patchbay ihn angelegt hat.",
  "removed.goes.session": "Die Unterhaltung, mit den Dateien, die zu ihr gehören.",
  "removed.goes.file": "Die Datei. Was Patchbay jetzt verwendet, bleibt, wie es ist.",
  "removed.goesWith": "Mit ihm: {{what}}.",
  "removed.noCopy": "Patchbay behält keine Kopie. Das lässt sich nicht rückgängig machen.",
};
