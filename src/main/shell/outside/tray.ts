import { Menu, nativeImage, Tray } from "electron";
import type { AgentView } from "../../../contract/index.ts";
import type { ShellWords } from "./word-lists.ts";
import { agentLine } from "./words.ts";

interface AgentTrayOptions {
  /** Path of the picture; a `Template` picture on macOS. */
  icon: string;
  words: ShellWords;
  onShow(path?: string): void;
  onQuit(): void;
}

/** The icon beside the clock: each agent with its worst state, Show and Quit. */
export class AgentTray {
  readonly #options: AgentTrayOptions;
  readonly #tray: Tray;
  #words: ShellWords;
  #agents: AgentView[] = [];

  constructor(options: AgentTrayOptions) {
    this.#options = options;
    this.#words = options.words;
    this.#tray = new Tray(nativeImage.createFromPath(options.icon));
    this.#tray.on("click", () => options.onShow());
    this.#draw();
  }

  setAgents(agents: AgentView[]): void {
    this.#agents = agents;
    this.#draw();
  }

  setWords(words: ShellWords): void {
    this.#words = words;
    this.#draw();
  }

  close(): void {
    this.#tray.destroy();
  }

  #draw(): void {
    const words = this.#words;
    const agents = this.#agents;
    const worst = agents.filter((agent) => agent.worst !== "ok");
    this.#tray.setToolTip([words.name, ...worst.map((agent) => agentLine(words, agent))].join("\n"));
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

  #line(agent: AgentView) {
    return {
      label: agentLine(this.#words, agent),
      click: () => this.#options.onShow(`/agents/${agent.id}/plugins`),
    };
  }
}
