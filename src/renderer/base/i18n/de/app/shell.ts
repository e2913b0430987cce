import type { shellStrings as en } from "../../en/app/shell.ts";

export const shellStrings: Record<keyof typeof en, string> = {
  "common.close": "Schließen",
  "common.cancel": "Abbrechen",
  "common.back": "Zurück",
  "common.dismiss": "Ausblenden",
  "common.copy": "Kopieren",
  "common.copied": "Kopiert",
  "common.copyFailed": "Kopieren hat nicht geklappt",
  "common.clear": "Löschen",
  "common.yes": "Ja",
  "common.no": "Nein",

  "rail.label": "Hauptnavigation",
  "rail.plugins": "Plugins",
  "rail.discover": "Entdecken",
  "rail.conversation": "Unterhaltung",
  "rail.debug": "Fehlersuche",
  "rail.approvals": "Freigaben",

  "broken.title": "Diese Ansicht ließ sich nicht anzeigen",
  "broken.text":
    "Alles andere läuft weiter: Ihre Plugins und Agenten sind nicht betroffen. Laden Sie neu. Bleibt es so, sammeln Sie in den Einstellungen die Diagnose und melden Sie es damit.",
  "broken.reload": "Neu laden",

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
    "Patchbay lässt eine Seite nur über einen Link herein, den es ausgegeben hat, und nur einmal. Starten Sie `patchbay serve`, oder sehen Sie nach dem neuesten Link, wo es läuft, und öffnen Sie ihn in diesem Browser. `patchbay session link` gibt noch einen aus.",

  "person.title": "Sind Sie es?",
  "person.act.install": "Ein Plugin soll installiert werden.",
  "person.act.backup": "Alle Geheimnisse sollen in eine Datei geschrieben werden.",
  "person.act.passphrase": "Die Passphrase der Geheimnisse soll geändert werden.",
  "person.act.policy": "Es soll geändert werden, was ein Agent ohne Frage darf.",
  "person.act.deciding": "Chats sollen über wartende Aufrufe entscheiden.",
  "person.act.grant": "Ein Plugin oder ein Agent soll mehr bekommen, als es hat.",
  "person.act.risk": "Patchbay soll trotz eines bekannten Risikos weitermachen.",
  "person.act.run": "Ein Aufruf eines Werkzeugs soll erlaubt werden.",
  "person.act.pause": "Ein Durchgang eines Agenten soll angehalten und geändert werden.",
  "person.act.screen": "Noch eine Seite soll geöffnet werden.",
  "person.act.program": "Ein anderes Programm soll die Werkzeuge eines Agenten benutzen dürfen.",
  "person.act.send": "Was in Durchgängen geschieht, soll jedes Mal woandershin gesendet werden.",
  "person.field.code": "Code",
  "person.field.passphrase": "Passphrase Ihrer Geheimnisse",
  "person.field.either": "Code oder die Passphrase Ihrer Geheimnisse",
  "person.help.code":
    "Sechs Ziffern, eben in dem Terminal gezeigt, in dem Patchbay läuft. Danach werden Sie einmal in einer Viertelstunde gefragt.",
  "person.help.passphrase": "Nur Sie kennen sie. Danach werden Sie einmal in einer Viertelstunde gefragt.",
  "person.help.either":
    "Der Code steht in dem Terminal, in dem Patchbay läuft. Danach werden Sie einmal in einer Viertelstunde gefragt.",
  "person.confirm": "Ich bin es",

  "screens.title": "Seiten, die Patchbay benutzen dürfen",
  "screens.text":
    "Jede wurde durch einen eigenen Link geöffnet und endet nach dreißig Tagen ohne Benutzung. Ein Link für noch eine: {{command}}.",
  "screens.browserOn": "{{browser}} unter {{system}}",
  "screens.browser": "Ein Browser",
  "screens.current": "Diese Seite",
  "screens.used": "Benutzt {{ago}}",
  "screens.end": "Beenden",

  "deciding.title": "Entscheiden aus Chats",
  "deciding.label": "Besitzer dürfen aus diesem Kanal über wartende Aufrufe entscheiden",
  "deciding.text":
    "Besitzer, die in den Einstellungen stehen, dürfen aus ihrem Chat mit diesem Kanal wartende Aufrufe erlauben oder ablehnen. Wer den Dienst des Kanals oder dieses Plugin beherrscht, könnte dann in ihrem Namen entscheiden.",

  "problem.details": "Technische Einzelheiten",
  "problem.more": "Einzelheiten",

  "field.needed": "Bitte ausfüllen.",
  "field.required": "erforderlich",
  "field.optional": "freiwillig",
  "field.choose": "Auswählen…",
  "field.unsupported": "Für diese Einstellung gibt es hier kein Feld; sie lässt sich als JSON setzen.",

  "time.justNow": "gerade eben",
  "time.left": "noch {{seconds}} Sekunden zum Antworten",
};
