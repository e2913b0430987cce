import { EventEmitter } from "node:events";
import { gestures, type RecordedItem, recorded } from "./recorder.ts";

interface MessageOptions {
  message: string;
  detail?: string;
  buttons: string[];
}

interface ItemOptions {
  label?: string;
  role?: string;
  type?: string;
  enabled?: boolean;
  submenu?: ItemOptions[];
  click?: () => void;
}

export class Menu {
  static buildFromTemplate(template: ItemOptions[]): Menu {
    return new Menu(template);
  }
  static setApplicationMenu(menu: Menu): void {
    recorded.menu = menu.record();
    gestures.set("clickMenu", (...labels) => menu.click(labels));
  }

  readonly #items: ItemOptions[];

  private constructor(items: ItemOptions[]) {
    this.#items = items;
  }

  record(): RecordedItem[] {
    return recordItems(this.#items);
  }

  /** Clicks the item that these labels lead to. */
  click(labels: string[]): void {
    let items: ItemOptions[] = this.#items;
    let item: ItemOptions | undefined;
    for (const label of labels) {
      item = items.find((each) => each.label === label);
      if (!item || item.enabled === false) throw new Error(`No item "${label}" can be clicked.`);
      items = item.submenu ?? [];
    }
    if (!item?.click) throw new Error(`Nothing happens on "${labels.join(" > ")}".`);
    item.click();
  }
}

export class Tray extends EventEmitter {
  readonly #record: NonNullable<typeof recorded.tray>;

  constructor(icon: { path: string }) {
    super();
    this.#record = { icon: icon.path, toolTip: "", menu: [] };
    recorded.tray = this.#record;
  }
  setToolTip(text: string): void {
    this.#record.toolTip = text;
  }
  setContextMenu(menu: Menu): void {
    this.#record.menu = menu.record();
    gestures.set("clickTray", (...labels) => (labels.length > 0 ? menu.click(labels) : this.emit("click")));
  }
  destroy(): void {
    recorded.tray = null;
  }
}

export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return true;
  }
  readonly #content: { title: string; body: string };

  constructor(content: { title: string; body: string }) {
    super();
    this.#content = content;
  }
  show(): void {
    recorded.notifications.push({ title: this.#content.title, body: this.#content.body });
    gestures.set("clickNotification", () => this.emit("click"));
  }
}

export const dialog = {
  showErrorBox(title: string, text: string): void {
    recorded.dialogs.push({ title, text, buttons: [] });
    console.error(`${title}: ${text}`);
  },
  /** Waits until the test points at something; without a path it is cancelled. */
  showOpenDialog(...given: { properties?: string[] }[]) {
    const properties = given.at(-1)?.properties ?? [];
    recorded.dialogs.push({ title: "", text: properties.join(" "), buttons: [] });
    return new Promise<{ canceled: boolean; filePaths: string[] }>((resolve) => {
      gestures.set("choosePath", (path) => resolve({ canceled: !path, filePaths: path ? [path] : [] }));
    });
  },
  /** Waits until the test presses a button. */
  showMessageBox(...given: (object | MessageOptions)[]) {
    const options = given.at(-1) as MessageOptions;
    recorded.dialogs.push({ title: options.message, text: options.detail ?? "", buttons: options.buttons });
    return new Promise<{ response: number }>((resolve) => {
      gestures.set("pressButton", (label = "") => resolve({ response: options.buttons.indexOf(label) }));
      process.send?.({ asks: options.buttons });
    });
  },
};

export const shell = {
  async openExternal(url: string): Promise<void> {
    recorded.opened.push(url);
  },
  async openPath(path: string): Promise<string> {
    recorded.opened.push(path);
    return "";
  },
};

export const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
};

export const nativeImage = {
  createFromPath: (path: string) => ({ path }),
};

class NativeTheme extends EventEmitter {
  #source = "system";
  #systemIsDark = false;

  get themeSource(): string {
    return this.#source;
  }
  set themeSource(source: string) {
    this.#source = source;
    this.emit("updated");
  }
  get shouldUseDarkColors(): boolean {
    return this.#source === "system" ? this.#systemIsDark : this.#source === "dark";
  }
  setSystem(theme: string): void {
    this.#systemIsDark = theme === "dark";
    this.emit("updated");
  }
}

export const nativeTheme = new NativeTheme();
gestures.set("setTheme", (theme = "light") => nativeTheme.setSystem(theme));

function recordItems(items: ItemOptions[]): RecordedItem[] {
  return items.map((item) => ({
    label: item.label ?? "",
    role: item.role ?? null,
    type: item.type ?? "normal",
    enabled: item.enabled ?? true,
    submenu: recordItems(item.submenu ?? []),
  }));
}
