import type { programStrings as en } from "../../en/agents/programs.ts";

export const programStrings: Record<keyof typeof en, string> = {
  "programs.intro":
    "Claude Desktop, Editoren und andere Programme, die MCP sprechen, können die Werkzeuge dieses Agenten benutzen und die Prompts und Ressourcen seiner Plugins. Regeln, Wächter und Freigaben gelten für sie wie hier.",
  "programs.palette": "Claude Desktop, Editoren: MCP",
  "programs.loading": "Es wird nachgesehen, wie Programme sich verbinden…",
  "programs.started": "Programme, die ihn selbst starten",
  "programs.which": "Welches Programm",
  "programs.kind.claude-desktop": "Claude Desktop",
  "programs.kind.cursor": "Cursor",
  "programs.kind.vs-code": "VS Code",
  "programs.kind.other": "Ein anderes Programm",
  "programs.where.claude-desktop":
    "Öffnen Sie in Claude Desktop Einstellungen › Entwickler › Konfiguration bearbeiten, fügen Sie dies in claude_desktop_config.json ein und starten Sie Claude Desktop neu.",
  "programs.where.cursor":
    "Fügen Sie dies in .cursor/mcp.json in Ihrem Benutzerordner oder in einem Projekt ein.",
  "programs.where.vs-code":
    "Fügen Sie dies in .vscode/mcp.json in einem Projekt ein, oder über den Befehl „MCP: Open User Configuration“.",
  "programs.where.other":
    "Die meisten Programme lesen diese Form. Hat Ihres ein Formular, geben Sie dort das Kommando und seine Argumente ein.",
  "programs.settingsOf": "Für die Einstellungen von {{program}}",
  "programs.asking":
    "Was vorher fragt, wartet hier unter Freigaben, und im Programm, wenn es Fragen zeigen kann. „Immer“ sagen Sie nur hier.",
  "programs.http": "Programme, die sich über HTTP verbinden",
  "programs.httpText":
    "Ein Programm bekommt ein Token für Werkzeuge, Prompts und Ressourcen dieses Agenten und für nichts sonst. Es gilt, solange Patchbay läuft und bis Sie es zurücknehmen.",
  "programs.copyAddress": "Adresse kopieren",
  "programs.letIn": "Zugelassene Programme",
  "programs.name": "Name des Programms",
  "programs.namePlaceholder": "Etwa: Notizen",
  "programs.add": "Zulassen",
  "programs.made":
    "{{program}} ist zugelassen. Das Token wird nur dieses eine Mal gezeigt: Kopieren Sie es jetzt.",
  "programs.unused": "zugelassen {{ago}}, noch nicht benutzt",
  "programs.used": "zuletzt benutzt {{ago}}",
  "programs.through": "gefragt über {{program}}",
  "who.program": "Sie, über {{program}}",
  "programs.end": "Zurücknehmen",
  "programs.endOf": "Zurücknehmen, was {{program}} darf",
};
