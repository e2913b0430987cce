import type { AgentView } from "../../contract/index.ts";

/** Every word that the shell itself shows; the screens have their own catalogue. */
export const words = {
  name: "Patchbay",
  file: "File",
  view: "View",
  help: "Help",
  documentation: "Patchbay documentation",
  about: "About Patchbay",
  show: "Show Patchbay",
  quit: "Quit Patchbay",
  noAgents: "No agents yet",
  cannotStart: "Patchbay could not start",
  alreadyOpen: "Patchbay is already running",
  alreadyOpenDetail:
    "It was started in a terminal or in a browser, and only one may use the folder at a time. Open the one that runs, or close it first.",
  openInBrowser: "Open it in the browser",
  close: "Close",
};

/** An agent's line in the tray: its name and how its worst plugin is. */
export function agentLine(agent: Pick<AgentView, "name" | "worst" | "pluginsOn">): string {
  return `${agent.name}: ${stateWords(agent)}`;
}

function stateWords(agent: Pick<AgentView, "worst" | "pluginsOn">): string {
  switch (agent.worst) {
    case "problem":
      return "has a problem";
    case "needs_setup":
      return "needs setup";
    case "ok":
      return agent.pluginsOn === 0 ? "no plugin switched on" : "running";
  }
}
