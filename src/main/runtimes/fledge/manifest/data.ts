import type { ManifestProblems } from "../../manifest-problems.ts";
import { isTable, type Table } from "./values.ts";

/**
 * Reads `data` under `[plugin]`, a field of Patchbay's own: the files and folders of the package that its programs may
 * change. What is run cannot be among them, because it is checked when the plugin starts.
 *
 * @param programs the plugin's programs and hooks, as its manifest names them
 */
export function readData(plugin: Table, programs: readonly string[], problems: ManifestProblems): string[] {
  const { data } = plugin;
  // Others may use the name for something else.
  if (data === undefined || isTable(data)) return [];
  const paths = (Array.isArray(data) ? data : [data]).map((entry) =>
    typeof entry === "string" ? plain(entry) : null,
  );
  const found = paths.filter((path) => path !== null);
  if (found.length < paths.length) {
    problems.add(
      "plugin.data",
      "`plugin.data` must list paths of files and folders inside the plugin's folder. The plugin's author must correct it.",
    );
  }
  const code = ["plugin.toml", ...programs.map((name) => plain(name) ?? "")];
  for (const path of found) {
    const run = code.find((name) => name === path || name.startsWith(`${path}/`));
    if (run !== undefined)
      problems.add(
        "plugin.data",
        `\`plugin.data\` names “${path}”, but ${run} is code and must stay as it is installed. The plugin's author must correct it.`,
      );
  }
  return found;
}

/** The path without `./` and a slash at its end; null for one that is empty or leads out of the folder. */
function plain(path: string): string | null {
  const parts = path.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  if (/^(?:[/\\]|[a-zA-Z]:)/.test(path) || parts.includes("..") || parts.length === 0) return null;
  return path.includes("\0") ? null : parts.join("/");
}
