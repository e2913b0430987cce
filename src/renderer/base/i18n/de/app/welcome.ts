import type { welcomeStrings as en } from "../../en/app/welcome.ts";

export const welcomeStrings: Record<keyof typeof en, string> = {
  "welcome.title": "Willkommen bei Patchbay",
  "welcome.steps": "Drei Schritte",
  "welcome.close": "Willkommen schließen",
  "welcome.closeHelp":
    "Es kommt nicht wieder. Alles darin steht auch in den Einstellungen und unter Entdecken.",
  "welcome.for": "für {{agent}}",
  "welcome.status.done": "fertig",
  "welcome.status.now": "jetzt",
  "welcome.status.later": "noch nicht",
  "welcome.model": "Modell wählen",
  "welcome.plugin": "Plugin aussuchen",
  "welcome.run": "Laufen sehen",

  "welcome.modelTitle": "Mit welchem Modell soll {{agent}} denken?",
  "welcome.modelText":
    "Unterhaltungen brauchen eines. Plugins nicht: Sie können das überspringen, erst Plugins installieren und einrichten und später ein Modell wählen.",
  "welcome.modelUse": "Dieses Modell benutzen",
  "welcome.modelAgain": "Noch einmal versuchen",
  "welcome.modelSkip": "Vorerst überspringen",
  "welcome.tryTitle": "Ausprobieren",
  "welcome.tryField": "Womit {{tool}} ausprobiert wird",
  "welcome.tryCall": "Ausprobieren",
  "welcome.tryAgent": "{{agent}} ausprobieren lassen",
  "welcome.tryPrompt": "Rufe {{tool}} mit {{value}} auf und sage in einem Satz, was zurückkam.",
  "welcome.works": "Es funktioniert.",
  "welcome.worksTool": "{{tool}} hat in {{time}} geantwortet.",
  "welcome.pluginTitle": "Suchen Sie ein erstes Plugin aus",
  "welcome.pluginText":
    "Ein Plugin gibt {{agent}} Werkzeuge, wacht über sein Tun oder macht ihn in einem Chat erreichbar. Diese bringt Patchbay mit; sie brauchen kein Netz.",
  "welcome.pluginMore": "Alles unter Entdecken ansehen",
  "welcome.switchOn": "Einschalten",
  "welcome.switchOnName": "{{name}} einschalten",
  "welcome.pluginSkip": "Vorerst überspringen",
  "welcome.runTitle": "{{plugin}} ist mit {{agent}} verbunden",
  "welcome.runText":
    "Das Kabel sagt, wie es steht, hier und auf jedem Bildschirm: leuchtend läuft, gerissen hat ein Problem, hängend braucht Sie.",
  "welcome.runNoneTitle": "Noch läuft nichts",
  "welcome.runNoneText": "Das macht nichts. Unter Entdecken warten Plugins, wann immer Sie eines wollen.",
  "welcome.tools_one": "Bereit mit einem Werkzeug: {{names}}",
  "welcome.tools_other": "Bereit mit {{count}} Werkzeugen: {{names}}",
  "welcome.talk": "Mit {{agent}} sprechen",
  "welcome.settings": "Seine Einstellungen öffnen",
  "welcome.finish": "An die Arbeit",
};
