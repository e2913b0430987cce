import { create } from "zustand";

/** Where a plugin is to be installed from, as far as it is known. */
export interface InstallFrom {
  spec: string;
  /** Use the folder in place. */
  link?: boolean;
  registry?: string | undefined;
}

/** What is shown over or beside the pages. */
interface Panels {
  conversation: boolean;
  palette: boolean;
  /** Null while the install dialog is closed. */
  install: { jobId: string | null; from: InstallFrom } | null;
  /** The plugin for which missing packages are to be installed. */
  packages: { agentId: string; key: string } | null;
  createAgent: boolean;
  editAgent: string | null;
  /** What of the agent is to be edited: its key or its model has the focus. Null: nothing special. */
  editField: "key" | "model" | null;
}

const remembered = "patchbay.conversation";

export const usePanels = create<Panels>()(() => ({
  conversation: localStorage.getItem(remembered) === "open",
  palette: false,
  install: null,
  packages: null,
  createAgent: false,
  editAgent: null,
  editField: null,
}));

export const panels = {
  toggleConversation(open?: boolean) {
    usePanels.setState((state) => {
      const next = open ?? !state.conversation;
      localStorage.setItem(remembered, next ? "open" : "closed");
      return { conversation: next };
    });
  },
  openPalette(open: boolean) {
    usePanels.setState({ palette: open });
  },
  openInstall(spec = "", how: Omit<InstallFrom, "spec"> = {}) {
    usePanels.setState({ install: { jobId: null, from: { spec, ...how } } });
  },
  showJob(jobId: string) {
    usePanels.setState({ install: { jobId, from: { spec: "" } } });
  },
  closeInstall() {
    usePanels.setState({ install: null });
  },
  askPackages(packages: Panels["packages"]) {
    usePanels.setState({ packages });
  },
  createAgent(open: boolean) {
    usePanels.setState({ createAgent: open });
  },
  editAgent(agentId: string | null, editField: Panels["editField"] = null) {
    usePanels.setState({ editAgent: agentId, editField });
  },
};
