/** What the app did that a person would see outside of its page. Tests read it through `launch.ts`. */
export interface Recorded {
  webSocketUrl: string | null;
  windows: {
    bounds: { x: number; y: number; width: number; height: number };
    visible: boolean;
    focused: boolean;
    minimized: boolean;
    maximized: boolean;
    backgroundColor: string;
    webPreferences: Record<string, unknown>;
    /** Chromium's id of its page, once that exists. */
    targetId: string | null;
  }[];
  menu: RecordedItem[];
  tray: { icon: string; toolTip: string; menu: RecordedItem[] } | null;
  notifications: { title: string; body: string }[];
  dialogs: { title: string; text: string; buttons: string[] }[];
  /** Addresses and files handed to the system. */
  opened: string[];
  protocolClients: string[];
  sandboxEnforced: boolean;
}

export interface RecordedItem {
  label: string;
  role: string | null;
  type: string;
  enabled: boolean;
  submenu: RecordedItem[];
}

export const recorded: Recorded = {
  webSocketUrl: null,
  windows: [],
  menu: [],
  tray: null,
  notifications: [],
  dialogs: [],
  opened: [],
  protocolClients: [],
  sandboxEnforced: false,
};

/** What a test may do in the person's place; filled in by the modules that own the thing. */
export const gestures = new Map<string, (...args: string[]) => unknown>();

type Request = { id: number; gesture: string; args: string[] };

/** Answers the launcher over the process's own channel, and ends the app when the launcher is gone. */
export function answerLauncher(onLauncherGone: () => void): void {
  process.on("message", async ({ id, gesture, args }: Request) => {
    try {
      const perform = gestures.get(gesture);
      if (gesture !== "inspect" && !perform) throw new Error(`The stand-in knows no gesture "${gesture}".`);
      await perform?.(...args);
      process.send?.({ id, recorded });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
  process.on("disconnect", onLauncherGone);
}
