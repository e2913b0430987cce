import { create } from "zustand";

/** What lies over or beside the pages. */
interface Panels {
  conversation: boolean;
  palette: boolean;
  /** Null while the install dialog is closed. */
  install: { jobId: string | null; spec: string } | null;
  createAgent: boolean;
  editAgent: string | null;
}

const remembered = "patchbay.conversation";

export const usePanels = create<Panels>()(() => ({
  conversation: localStorage.getItem(remembered) === "open",
  palette: false,
  install: null,
  createAgent: false,
  editAgent: null,
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
  openInstall(spec = "") {
    usePanels.setState({ install: { jobId: null, spec } });
  },
  showJob(jobId: string) {
    usePanels.setState({ install: { jobId, spec: "" } });
  },
  closeInstall() {
    usePanels.setState({ install: null });
  },
  createAgent(open: boolean) {
    usePanels.setState({ createAgent: open });
  },
  editAgent(agentId: string | null) {
    usePanels.setState({ editAgent: agentId });
  },
};
