import type { liveTracesStrings as english } from "../../en/app/live-traces.ts";

export const liveTracesStrings: Record<keyof typeof english, string> = {
  "live.title": "Aufzeichnungen an OpenTelemetry",
  "live.off":
    "Was in Durchgängen geschieht, kann nach jedem an einen Empfänger für OpenTelemetry gesendet werden: welches Modell und welches Werkzeug aufgerufen wurde, was Plugins entschieden, wie lange es dauerte. Es ist aus: Nichts davon verlässt diesen Computer.",
  "live.turnOn": "Einschalten",
  "live.turnOff": "Ausschalten",
  "live.change": "Ändern",
  "live.to": "Namen, Zahlen und Entscheidungen jedes Durchgangs gehen an {{address}}",
  "live.toWhole": "Jeder Durchgang geht an {{address}}, mit dem, was gesagt, gefragt und geantwortet wurde",
  "live.reached": "Er ist erreichbar ({{time}}). Seither endete kein Durchgang.",
  "live.sent_one": "Ein Durchgang gesendet, zuletzt {{time}}",
  "live.sent_other": "{{count}} Durchgänge gesendet, zuletzt {{time}}",
  "live.waiting_one": "Ein Durchgang wartet und wird später gesendet.",
  "live.waiting_other": "{{count}} Durchgänge warten und werden später gesendet.",
  "live.dropped_one": "Ein Durchgang wurde aufgegeben.",
  "live.dropped_other": "{{count}} Durchgänge wurden aufgegeben.",
  "live.unreachable.closed": "Er war nicht zu erreichen: An dieser Adresse hört niemand zu.",
  "live.unreachable.unknown_host": "Er war nicht zu erreichen: Der Name in der Adresse ist nicht bekannt.",
  "live.unreachable.slow": "Er war nicht zu erreichen: Er antwortete nicht rechtzeitig.",
  "live.unreachable.broken": "Er war nicht zu erreichen: Die Verbindung brach ab.",
  "live.refused.key":
    "Er wies den Schlüssel zurück. Wählen Sie ein anderes Geheimnis, oder prüfen Sie die Kopfzeile.",
  "live.refused.path": "An dieser Adresse antwortet etwas anderes; es nimmt keine Aufzeichnungen an.",
  "live.refused.other": "Er wies zurück, was gesendet wurde (HTTP {{status}}).",
  "live.noSecret": "Das Geheimnis {{name}} ist nicht gespeichert, oder die Geheimnisse sind verschlossen.",
  "live.address": "Adresse des Empfängers",
  "live.addressHelp": "OTLP über HTTP, meist am Port 4318.",
  "live.secret": "Schlüssel",
  "live.secretHelp": "Ein Geheimnis aus Einstellungen › Geheimnisse, das der Empfänger sehen will.",
  "live.noKey": "Kein Schlüssel",
  "live.header": "Kopfzeile mit dem Schlüssel",
  "live.headerHelp": "In Authorization steht er hinter „Bearer“.",
  "live.badHeader": "Der Name einer Kopfzeile hat Buchstaben, Ziffern und Striche.",
  "live.contents": "Auch was gesagt, gefragt und geantwortet wurde",
  "live.contentsHelp":
    "Nachrichten, Argumente und Ergebnisse verlassen diesen Computer. Gespeicherte Geheimnisse werden herausgenommen.",
};
