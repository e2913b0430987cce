import { hostEnvironment } from "./host-environment.ts";
import { Program } from "./program.ts";

const PATIENCE_MS = 5_000;
const MOST = 1024 * 1024;

/**
 * What a person's login shell prints for a script, between two marks, because shells greet as well.
 *
 * @param mark stands at both ends of what the script prints
 * @returns null when the shell prints no marks, or not within five seconds
 */
export async function askShell(
  { shell, script, mark }: { shell: string; script: string; mark: string },
  source: NodeJS.ProcessEnv,
): Promise<string | null> {
  const child = new Program({
    file: shell,
    args: ["-lc", script],
    cwd: "/",
    env: hostEnvironment(source),
    input: false,
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    if (text.length < MOST) text += piece;
  });
  child.stderr.resume();
  child.signalAfter(PATIENCE_MS, "SIGKILL");
  await child.ended;
  return text.split(mark)[1] ?? null;
}
