import { app, Menu, type MenuItemConstructorOptions, shell } from "electron";
import type { ShellWords } from "./word-lists.ts";

interface MenuOptions {
  version: string;
  /** Path of the file that Help opens. */
  documentation: string;
}

/** The menu of the application, made of the system's own roles in the words of the chosen language. Call again when that changes. */
export function installMenu({ version, documentation }: MenuOptions, words: ShellWords): void {
  app.setAboutPanelOptions({ applicationName: words.name, applicationVersion: version });
  const mac = process.platform === "darwin";
  const about: MenuItemConstructorOptions[] = [{ type: "separator" }, { role: "about", label: words.about }];
  const template: MenuItemConstructorOptions[] = [
    mac ? { role: "appMenu" } : { label: words.file, submenu: [{ role: "quit", label: words.quit }] },
    editMenu(words),
    viewMenu(words),
    windowMenu(words),
    {
      role: "help",
      label: words.help,
      submenu: [
        { label: words.documentation, click: () => void shell.openPath(documentation) },
        ...(mac ? [] : about),
      ],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

function editMenu(words: ShellWords): MenuItemConstructorOptions {
  return {
    label: words.edit,
    submenu: [
      { role: "undo", label: words.undo },
      { role: "redo", label: words.redo },
      { type: "separator" },
      { role: "cut", label: words.cut },
      { role: "copy", label: words.copy },
      { role: "paste", label: words.paste },
      { role: "selectAll", label: words.selectAll },
    ],
  };
}

function viewMenu(words: ShellWords): MenuItemConstructorOptions {
  const developer: MenuItemConstructorOptions[] = app.isPackaged
    ? []
    : [
        { role: "reload", label: words.reload },
        { role: "toggleDevTools", label: words.developerTools },
        { type: "separator" },
      ];
  return {
    label: words.view,
    submenu: [
      ...developer,
      { role: "resetZoom", label: words.actualSize },
      { role: "zoomIn", label: words.zoomIn },
      { role: "zoomOut", label: words.zoomOut },
      { type: "separator" },
      { role: "togglefullscreen", label: words.fullScreen },
    ],
  };
}

function windowMenu(words: ShellWords): MenuItemConstructorOptions {
  return {
    role: "window",
    label: words.window,
    submenu: [
      { role: "minimize", label: words.minimize },
      { role: "close", label: words.closeWindow },
    ],
  };
}
