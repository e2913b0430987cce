import type { shellStrings as en } from "../../en/app/shell.ts";

export const shellStrings: Record<keyof typeof en, string> = {
  "common.close": "Schließen",
  "common.cancel": "Abbrechen",
  "common.back": "Zurück",
  "common.dismiss": "Ausblenden",
  "common.copy": "Kopieren",
  "common.copied": "Kopiert",
  "common.copyFailed": "Kopieren ging nicht",
  "common.clear": "Löschen",
  "common.yes": "Ja",
  "common.no": "Nein",

  "rail.label": "Haupt",
  "rail.plugins": "Plugins",
  "rail.discover": "Entdecken",
  "rail.conversation": "Unterhaltung",
  "rail.approvals": "Freigaben",

  "theme.label": "Hell oder dunkel",
  "theme.system": "Wie das System",
  "theme.light": "Hell",
  "theme.dark": "Dunkel",

  "connection.live": "Verbunden · {{version}}",
  "connection.connecting": "Verbinden…",
  "connection.silent": "Keine Antwort…",
  "connection.lost": "Neu verbinden…",
  "connection.refused": "Nicht verbunden",
  "connection.silentTitle": "Patchbay antwortet nicht.",
  "connection.silentText":
    "Was Sie sehen, ist vielleicht veraltet. Was Sie jetzt drücken, geschieht, sobald es wieder antwortet.",
  "connection.lostTitle": "Die Verbindung zu Patchbay ist unterbrochen. Neu verbinden…",
  "connection.lostText":
    "Was Sie sehen, ist vielleicht veraltet. Nichts, was Sie bestätigt haben, geht verloren.",
  "connection.successorTitle": "Patchbay wurde mit einem neuen Link gestartet.",
  "connection.successorText":
    "Was Sie sehen, ist von vorher. Öffnen Sie den Link, den Patchbay diesmal ausgegeben hat.",
  "connection.since": "{{seconds}} s",
  "connection.callLost": "Die Verbindung zu Patchbay brach ab, bevor eine Antwort kam.",
  "connection.callLostHelp":
    "Warten Sie, bis sie wieder da ist, sehen Sie nach, was dann angezeigt wird, und versuchen Sie es noch einmal.",
  "connection.openingTitle": "Patchbay wird geöffnet…",
  "connection.openingText": "Warten auf die Antwort des Kerns. Diese Seite geht von selbst weiter.",
  "connection.refusedTitle": "Diese Seite braucht ihren eigenen Link",
  "connection.refusedText":
    "Patchbay lässt eine Seite nur über den Link herein, den es beim Start ausgegeben hat. Starten Sie `patchbay serve` (oder sehen Sie nach, wo es läuft) und öffnen Sie den Link in diesem Browser.",

  "problem.details": "Technische Einzelheiten",
  "problem.more": "Einzelheiten",

  "field.needed": "Bitte ausfüllen.",
  "field.required": "erforderlich",
  "field.optional": "freiwillig",
  "field.choose": "Auswählen…",
  "field.unsupported": "Diese Einstellung lässt sich hier nicht anzeigen: {{reason}}",

  "time.justNow": "gerade eben",
  "time.left": "noch {{seconds}} Sekunden zum Antworten",
};
