import type { serverStrings as en } from "../../en/catalogue/servers.ts";

export const serverStrings: Record<keyof typeof en, string> = {
  "servers.offer":
    "Das MCP-Verzeichnis führt Server auf, die Agenten benutzen können: Tausende, von vielen Herstellern.",
  "servers.offerHelp": "Es wird erst gefragt, wenn Sie es wollen, und dann höchstens einmal in der Stunde.",
  "servers.show": "Zeigen",
  "servers.reading": "Die Liste des MCP-Verzeichnisses wird zum ersten Mal gelesen…",
  "servers.readingCount_one": "Die Liste des MCP-Verzeichnisses wird zum ersten Mal gelesen: bisher 1 Server",
  "servers.readingCount_other":
    "Die Liste des MCP-Verzeichnisses wird zum ersten Mal gelesen: bisher {{shown}} Server",
  "servers.listOf": "Gezeigt wird seine Liste von {{ago}}.",
  "servers.asked": "Gefragt {{ago}}.",
  "servers.deprecated": "Veraltet",
  "servers.deprecatedSaid": "Veraltet: {{message}}",
  "servers.deprecatedLong": "Der Herausgeber rät davon ab.",
  "servers.deprecatedLongSaid": "Der Herausgeber rät davon ab: „{{message}}“",
  "servers.withdrawn": "Zurückgezogen",
  "servers.withdrawnSaid": "Zurückgezogen: {{message}}",
  "servers.withdrawnLong":
    "Es wurde aus dem Verzeichnis zurückgezogen. Entfernen Sie es, wenn Sie nicht wissen, warum.",
  "servers.withdrawnLongSaid":
    "Es wurde aus dem Verzeichnis zurückgezogen: „{{message}}“ Entfernen Sie es, wenn Sie nicht wissen, warum.",
  "servers.ways": "Zu haben als",
  "servers.way.npm": "Paket von npm, das Patchbays eigenes Node ausführt",
  "servers.way.mcpb": "Bündel, dessen Prüfsumme geprüft wird",
  "servers.way.remote": "Server an einer Adresse",
  "servers.way.pypi": "Paket für Python, das uvx startet",
  "servers.way.oci": "Container, den docker startet",
  "servers.way.nuget": "Paket für .NET, das dnx startet",
  "servers.wayShort.npm": "npm",
  "servers.wayShort.mcpb": "Bündel",
  "servers.wayShort.remote": "entfernt",
  "servers.wayShort.pypi": "PyPI",
  "servers.wayShort.oci": "Container",
  "servers.wayShort.nuget": "NuGet",
  "servers.best": "wird beim Installieren genommen",
  "servers.takeWay": "So nehmen",
  "servers.takeWayName": "{{take}}: {{way}}",
  "servers.proven": "dem Verzeichnis durch den Namen bewiesen",
};
