import type { pluginStrings as en } from "../../en/plugins/plugins.ts";

export const pluginStrings: Record<keyof typeof en, string> = {
  "plugins.title": "Plugins",
  "plugins.subtitle": "Was {{agent}} kann und wie man ihn erreicht",
  "plugins.list": "Plugins dieses Agenten",
  "plugins.search": "Plugin finden",
  "plugins.add": "Plugin hinzufügen",
  "plugins.nothingFound": "Kein Plugin passt zu diesen Filtern.",

  "empty.title": "{{agent}} hat noch keine Plugins",
  "empty.text":
    "Ein Plugin gibt einem Agenten Werkzeuge, wacht über sein Tun oder macht ihn in einem Chat erreichbar.",
  "empty.suggested": "Diese bringt Patchbay mit",

  "filter.label": "Plugins filtern",
  "filter.all": "Alle",
  "filter.running": "Laufen",
  "filter.needs": "Warten auf Sie",
  "filter.off": "Aus",
  "filter.clear": "Alle Plugins zeigen",
  "filter.capability.channel": "Kanäle",
  "filter.capability.tools": "Werkzeuge",
  "filter.capability.hooks": "Haken",
  "filter.capability.commands": "Befehle",
  "filter.capability.skills": "Fertigkeiten",
  "filter.capability.providers": "Modelle",
  "filter.capability.shortcuts": "Kürzel",

  "capability.channel": "Kanal",
  "capability.tools": "Werkzeuge",
  "capability.toolsCount": "Werkzeuge {{count}}",
  "capability.hooksCount": "Haken {{count}}",
  "capability.commands": "Befehle",
  "capability.commandsCount": "Befehle {{count}}",
  "capability.skillsCount": "Fertigkeiten {{count}}",
  "capability.providersCount": "Modelle {{count}}",
  "capability.shortcutsCount": "Kürzel {{count}}",

  "state.off": "Aus",
  "state.gone": "Aus",
  "state.starting": "Startet",
  "state.running": "Läuft",
  "state.asleep": "Läuft",
  "state.needs_setup": "Muss eingerichtet werden",
  "state.degraded": "Hat ein Problem",
  "state.not_responding": "Hat ein Problem",
  "state.failed": "Start fehlgeschlagen",
  "state.quarantined": "Nach wiederholten Abstürzen angehalten",
  "state.stopping": "Hält an",

  "instance.stopped": "Aus",
  "instance.starting": "Startet",
  "instance.running": "Läuft",
  "instance.needs_setup": "Muss eingerichtet werden",
  "instance.degraded": "Hat ein Problem",
  "instance.failed": "Start fehlgeschlagen",
  "instance.quarantined": "Nach wiederholten Abstürzen angehalten",
  "instance.stopping": "Hält an",

  "plugin.switchOn": "{{name}} einschalten",
  "plugin.switchOff": "{{name}} ausschalten",
  "plugin.restartsSoon": "Es startet von selbst wieder.",
  "plugin.asleep": "Bereit · startet, wenn ein Werkzeug gebraucht wird",
  "plugin.gone":
    "Nicht installiert. Die Einstellungen sind aufgehoben und kommen mit einer neuen Installation zurück.",

  "step.setup": "Einrichten",
  "step.signInAgain": "Neu anmelden",
  "step.continueSetup": "Weiter einrichten",
  "step.settings": "Einstellungen öffnen",
  "step.restart": "Noch einmal starten",
  "step.activity": "Protokoll ansehen",
  "step.reinstall": "Neu installieren",

  "trust.built-in": "Mitgeliefert",
  "trust.official": "Offiziell",
  "trust.team": "Ihr Team",
  "trust.unverified": "Ungeprüft",
  "trust.local": "Lokal",
  "trust.built-in.help": "Wird mit Patchbay geliefert.",
  "trust.official.help": "Veröffentlicht von denen, die Patchbay machen.",
  "trust.team.help": "Aus einer Quelle, die Ihr Team hinzugefügt hat.",
  "trust.unverified.help":
    "Niemand hat es geprüft. Installieren Sie es nur, wenn Sie seinem Herausgeber vertrauen.",
  "trust.local.help": "Von diesem Computer.",

  "source.npm": "npm-Paket",
  "source.tarball": "Paketdatei",
  "source.folder": "Ordner",
  "source.link": "Verknüpfter Ordner",
  "source.git": "Git-Repository",
  "source.builtin": "Wird mit Patchbay geliefert",
  "source.endpoint": "Adresse",

  "permission.claims.networkAny": "Sagt, dass es jede Adresse im Netz erreicht",
  "permission.claims.networkHosts": "Sagt, dass es diese Rechner erreicht: {{names}}",
  "permission.claims.networkNone": "Sagt, dass es das Netz nicht benutzt",
  "permission.claims.networkUnsaid": "Sagt nicht, was es im Netz erreicht",
  "permission.claims.filesAll": "Sagt, dass es überall Dateien liest und schreibt",
  "permission.claims.filesWorkspace": "Sagt, dass es Dateien im Arbeitsordner des Agenten liest und schreibt",
  "permission.claims.filesNone": "Sagt, dass es keine Dateien anrührt",
  "permission.claims.filesUnsaid": "Sagt nicht, welche Dateien es anrührt",
  "permission.claims.subprocess": "Sagt, dass es andere Programme startet",
  "permission.claims.subprocessNone": "Sagt, dass es keine anderen Programme startet",
  "permission.claims.subprocessUnsaid": "Sagt nicht, ob es andere Programme startet",
  "permission.holds.networkAny":
    "Kann jeden Rechner im Internet erreichen. Bei diesem Rechner und Ihrem lokalen Netz werden Sie gefragt",
  "permission.holds.networkHosts":
    "Kann diese Rechner erreichen: {{names}}. Bei jedem anderen werden Sie gefragt",
  "permission.holds.networkNone": "Kann das Netz nicht erreichen",
  "permission.holds.networkUnsaid":
    "Nennt keine Rechner; bei jedem, den es erreichen will, werden Sie gefragt",
  "permission.holds.filesAll":
    "Kann überall Dateien lesen und schreiben, nur nicht in Patchbays eigenem Ordner",
  "permission.holds.filesWorkspace":
    "Kann Dateien im Arbeitsordner des Agenten lesen und schreiben, sonst nirgends",
  "permission.holds.filesNone": "Kann Ihre Dateien nicht erreichen",
  "permission.holds.filesUnsaid": "Kann Ihre Dateien nicht erreichen; es hat nicht darum gebeten",
  "permission.holds.subprocess": "Kann andere Programme starten",
  "permission.holds.subprocessNone": "Kann keine anderen Programme starten",
  "permission.holds.subprocessUnsaid": "Kann keine anderen Programme starten; es hat nicht darum gebeten",
  "permission.holds.networkGranted":
    "Kann diese Rechner erreichen und die in seinen Einstellungen: {{names}}. Bei jedem anderen werden Sie gefragt",
  "permission.holds.networkAsked":
    "Kann die Rechner in seinen Einstellungen erreichen. Bei jedem anderen werden Sie gefragt",
  "permission.holds.filesRead": "Kann Dateien im Arbeitsordner des Agenten lesen und nichts ändern",
  "permission.holds.filesFolders":
    "Kann die Ordner erreichen, die Sie gewährt haben, und sonst nichts: {{names}}",
  "permission.holds.filesMore":
    "Kann den Arbeitsordner des Agenten und die Ordner erreichen, die Sie gewährt haben: {{names}}",
  "permission.holds.programsNamed": "Kann diese Programme starten: {{names}}",
  "permission.grants": "Verlangt außerdem: {{names}}",
};
