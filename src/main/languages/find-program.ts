import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, sep } from "node:path";

/**
 * The program of a language server: what the workspace brings comes first.
 * @param path the search path
 * @returns its whole path; null: it is not there
 */
export async function findProgram(program: string, workspace: string, path: string): Promise<string | null> {
  if (isAbsolute(program)) return (await isFile(program)) ? program : null;
  const folders = [
    join(workspace, "node_modules", ".bin"),
    ...path.split(process.platform === "win32" ? ";" : ":"),
  ];
  const ends = process.platform === "win32" ? [".cmd", ".exe"] : [""];
  for (const folder of folders) {
    for (const end of ends) {
      const file = join(folder, program + end);
      if (folder !== "" && (await isFile(file))) return file;
    }
  }
  return null;
}

/** What a program is made of: the folder in which the packages of npm lie together, or its own. */
export async function packageOf(program: string): Promise<string> {
  const file = await realpath(program);
  const [before, ...rest] = file.split(`${sep}node_modules${sep}`);
  return rest.length > 0 ? join(before ?? sep, "node_modules") : dirname(file);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
