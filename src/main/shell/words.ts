import { app } from "electron";
import { type AgentView, type Language, type Settings, systemLanguage } from "../../contract/index.ts";

const english = {
  name: "Patchbay",
  file: "File",
  edit: "Edit",
  undo: "Undo",
  redo: "Redo",
  cut: "Cut",
  copy: "Copy",
  paste: "Paste",
  selectAll: "Select all",
  view: "View",
  reload: "Reload",
  developerTools: "Developer tools",
  actualSize: "Actual size",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  fullScreen: "Full screen",
  window: "Window",
  minimize: "Minimize",
  closeWindow: "Close window",
  help: "Help",
  documentation: "Patchbay documentation",
  about: "About Patchbay",
  show: "Show Patchbay",
  quit: "Quit Patchbay",
  noAgents: "No agents yet",
  problem: "has a problem",
  needsSetup: "needs setup",
  noneOn: "no plugin switched on",
  running: "running",
  cannotStart: "Patchbay could not start",
  alreadyOpen: "Patchbay is already running",
  alreadyOpenDetail:
    "It was started in a terminal or in a browser, and only one may use the folder at a time. Open the one that runs, or close it first.",
  openInBrowser: "Open it in the browser",
  close: "Close",
  asksApproval: (agent: string, tool: string) => `${agent} asks: may it use ${tool}?`,
  asksApprovalText: "Look at what exactly it would do, and allow or deny it.",
  asksQuestion: (plugin: string, agent: string) => `${plugin} has a question (${agent})`,
  failed: (plugin: string, agent: string) => `${plugin} failed to start (${agent})`,
  quarantined: (plugin: string, agent: string) => `${plugin} was stopped after repeated crashes (${agent})`,
  setupAgain: (plugin: string, agent: string) => `${plugin} needs to be set up again (${agent})`,
  setupExpired: (plugin: string, agent: string) => `The setup of ${plugin} has run out (${agent})`,
  openToSeeWhy: "Open Patchbay to see why, and what to do.",
};
/** Every word that the shell itself shows; the screens have their own catalogue. */
export type ShellWords = typeof english;

const german: ShellWords = {
  name: "Patchbay",
  file: "Datei",
  edit: "Bearbeiten",
  undo: "Rückgängig",
  redo: "Wiederholen",
  cut: "Ausschneiden",
  copy: "Kopieren",
  paste: "Einsetzen",
  selectAll: "Alles auswählen",
  view: "Ansicht",
  reload: "Neu laden",
  developerTools: "Entwicklerwerkzeuge",
  actualSize: "Originalgröße",
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
  fullScreen: "Vollbild",
  window: "Fenster",
  minimize: "Minimieren",
  closeWindow: "Fenster schließen",
  help: "Hilfe",
  documentation: "Dokumentation von Patchbay",
  about: "Über Patchbay",
  show: "Patchbay zeigen",
  quit: "Patchbay beenden",
  noAgents: "Noch keine Agenten",
  problem: "hat ein Problem",
  needsSetup: "muss eingerichtet werden",
  noneOn: "kein Plugin eingeschaltet",
  running: "läuft",
  cannotStart: "Patchbay konnte nicht starten",
  alreadyOpen: "Patchbay läuft schon",
  alreadyOpenDetail:
    "Es wurde in einem Terminal oder in einem Browser gestartet, und den Ordner kann nur eines zugleich verwenden. Öffnen Sie das, das läuft, oder schließen Sie es zuerst.",
  openInBrowser: "Im Browser öffnen",
  close: "Schließen",
  asksApproval: (agent, tool) => `${agent} fragt: darf er ${tool} verwenden?`,
  asksApprovalText: "Sehen Sie nach, was genau geschehen würde, und erlauben oder verweigern Sie es.",
  asksQuestion: (plugin, agent) => `${plugin} hat eine Frage (${agent})`,
  failed: (plugin, agent) => `${plugin} konnte nicht starten (${agent})`,
  quarantined: (plugin, agent) => `${plugin} wurde nach wiederholten Abstürzen angehalten (${agent})`,
  setupAgain: (plugin, agent) => `${plugin} muss neu eingerichtet werden (${agent})`,
  setupExpired: (plugin, agent) => `Die Einrichtung von ${plugin} ist abgelaufen (${agent})`,
  openToSeeWhy: "Öffnen Sie Patchbay, um zu sehen, warum und was zu tun ist.",
};

const catalogue: Record<Language, ShellWords> = { en: english, de: german };

/** The words of the chosen language; before the settings can be read, those of the system's. Call when Electron is ready. */
export function shellWords(choice: Settings["language"] = "system"): ShellWords {
  return catalogue[choice === "system" ? systemLanguage(app.getPreferredSystemLanguages()) : choice];
}

/** An agent's line in the tray: its name and how its worst plugin is. */
export function agentLine(words: ShellWords, agent: Pick<AgentView, "name" | "worst" | "pluginsOn">): string {
  return `${agent.name}: ${stateWords(words, agent)}`;
}

function stateWords(words: ShellWords, agent: Pick<AgentView, "worst" | "pluginsOn">): string {
  switch (agent.worst) {
    case "problem":
      return words.problem;
    case "needs_setup":
      return words.needsSetup;
    case "ok":
      return agent.pluginsOn === 0 ? words.noneOn : words.running;
  }
}
