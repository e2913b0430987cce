import { existsSync } from "node:fs";

const onLinux: [marker: string, command: string][] = [
  ["/usr/bin/apt-get", "sudo apt-get install python3 python3-venv"],
  ["/usr/bin/dnf", "sudo dnf install python3"],
  ["/usr/bin/pacman", "sudo pacman -S python"],
  ["/usr/bin/zypper", "sudo zypper install python3"],
  ["/sbin/apk", "sudo apk add python3"],
];

/** The command with which Python is installed on this system; null where its package manager is not a known one. */
export function installPython(platform: NodeJS.Platform = process.platform): string | null {
  if (platform === "darwin") return "brew install python";
  if (platform === "win32") return "winget install Python.Python.3.13";
  return onLinux.find(([marker]) => existsSync(marker))?.[1] ?? null;
}

/** The next step as sentences. */
export function howToInstall(): string {
  const command = installPython();
  const how = command === null ? "Install Python 3.9 or newer" : `Install it with: ${command}`;
  return `${how}. Or choose one under Settings, Python. Then start the plugin again.`;
}
