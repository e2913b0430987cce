import { Menu, nativeImage, Tray } from "electron";
import type { AgentView } from "../../contract/index.ts";
import { agentLine, words } from "./words.ts";

interface AgentTrayOptions {
  /** Path of the picture; a `Template` picture on macOS. */
  icon: string;
  onShow(path?: string): void;
  onQuit(): void;
}

/** The icon beside the clock: each agent with its worst state, Show and Quit. */
export class AgentTray {
  readonly #options: AgentTrayOptions;
  readonly #tray: Tray;

  constructor(options: AgentTrayOptions) {
    this.#options = options;
    this.#tray = new Tray(nativeImage.createFromPath(options.icon));
    this.#tray.on("click", () => options.onShow());
    this.setAgents([]);
  }

  setAgents(agents: AgentView[]): void {
    const worst = agents.filter((agent) => agent.worst !== "ok");
    this.#tray.setToolTip([words.name, ...worst.map(agentLine)].join("\n"));
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        ...(agents.length === 0
          ? [{ label: words.noAgents, enabled: false }]
          : agents.map((agent) => this.#line(agent))),
        { type: "separator" },
        { label: words.show, click: () => this.#options.onShow() },
        { label: words.quit, click: () => this.#options.onQuit() },
      ]),
    );
  }

  close(): void {
    this.#tray.destroy();
  }

  #line(agent: AgentView) {
    return { label: agentLine(agent), click: () => this.#options.onShow(`/agents/${agent.id}/plugins`) };
  }
}
