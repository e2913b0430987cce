import { app, Menu, type MenuItemConstructorOptions, shell } from "electron";
import { words } from "./words.ts";

/**
 * The menu of the application, made of the system's own roles wherever there is one.
 * `documentation` is the path of the file that Help opens
 */
export function installMenu({ version, documentation }: { version: string; documentation: string }): void {
  app.setAboutPanelOptions({ applicationName: words.name, applicationVersion: version });
  const template = process.platform === "darwin" ? macMenu(documentation) : plainMenu(documentation);
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

function macMenu(documentation: string): MenuItemConstructorOptions[] {
  return [
    { role: "appMenu" },
    { role: "fileMenu" },
    { role: "editMenu" },
    viewMenu(),
    { role: "windowMenu" },
    helpMenu(documentation),
  ];
}

function plainMenu(documentation: string): MenuItemConstructorOptions[] {
  const about: MenuItemConstructorOptions[] = [{ type: "separator" }, { role: "about", label: words.about }];
  return [
    { label: words.file, submenu: [{ role: "quit", label: words.quit }] },
    { role: "editMenu" },
    viewMenu(),
    { role: "windowMenu" },
    helpMenu(documentation, about),
  ];
}

function viewMenu(): MenuItemConstructorOptions {
  const developer: MenuItemConstructorOptions[] = app.isPackaged
    ? []
    : [{ role: "reload" }, { role: "toggleDevTools" }, { type: "separator" }];
  return {
    label: words.view,
    submenu: [
      ...developer,
      { role: "resetZoom" },
      { role: "zoomIn" },
      { role: "zoomOut" },
      { type: "separator" },
      { role: "togglefullscreen" },
    ],
  };
}

function helpMenu(
  documentation: string,
  more: MenuItemConstructorOptions[] = [],
): MenuItemConstructorOptions {
  return {
    role: "help",
    label: words.help,
    submenu: [{ label: words.documentation, click: () => void shell.openPath(documentation) }, ...more],
  };
}
