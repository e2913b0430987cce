import { PatchbayError } from "../../../contract/index.ts";
import { Program } from "../../platform/program.ts";
import { withoutCredentials } from "../spec/spec.ts";

const mostOutput = 8 * 1024 * 1024;

/**
 * Runs git so that it asks for no password, runs no hooks, and uses only the transports that the person's address
 * needs. Resolves with what it printed.
 * @throws PatchbayError GIT_FAILED with git's own words in the details.
 */
export async function git(
  args: string[],
  options: { url: string; cwd: string; signal: AbortSignal },
): Promise<string> {
  options.signal.throwIfAborted();
  const child = new Program({
    file: "git",
    args: [...safeSettings(options.url), ...args],
    cwd: options.cwd,
    // The types allow undefined values in `process.env`; Node passes no such variable on.
    env: { ...process.env, ...quietEnvironment } as Record<string, string>,
    input: false,
  });
  const kill = () => child.signal("SIGKILL");
  options.signal.addEventListener("abort", kill, { once: true });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (stdout.length < mostOutput) stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  try {
    const { code } = await child.ended;
    options.signal.throwIfAborted();
    if (code !== 0) throw failed(options.url, stderr);
    return stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new PatchbayError("GIT_FAILED", "Git is not installed on this machine.", {
      help: "Install git, or give an npm name, a .tgz file or a folder.",
    });
  } finally {
    options.signal.removeEventListener("abort", kill);
  }
}

const quietEnvironment = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GCM_INTERACTIVE: "never",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
  LC_ALL: "C",
};

function safeSettings(url: string): string[] {
  const ofFile = url.startsWith("file:") ? "always" : "never";
  const settings = {
    "protocol.allow": "never",
    "protocol.https.allow": "always",
    "protocol.http.allow": "always",
    "protocol.ssh.allow": "always",
    "protocol.git.allow": "always",
    "protocol.file.allow": ofFile,
    "core.hooksPath": process.platform === "win32" ? "NUL" : "/dev/null",
    "core.fsmonitor": "false",
    "submodule.recurse": "false",
    "advice.detachedHead": "false",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

function failed(url: string, stderr: string): PatchbayError {
  const output = withoutCredentials(stderr.trim());
  const address = withoutCredentials(url);
  const unreachable =
    /could not resolve host|couldn't resolve|could not resolve hostname|name or service not known|connection (?:refused|timed out|reset)|network is unreachable|no route to host|failed to connect|operation timed out/i;
  if (unreachable.test(output)) {
    return new PatchbayError("GIT_FAILED", `Git could not reach ${hostOf(address)}.`, {
      help: "Check the connection to the internet, and how the address is written.",
      details: { output },
    });
  }
  const missing = /not found|does not exist|does not appear to be a git repository/i.test(output);
  return new PatchbayError(
    "GIT_FAILED",
    missing ? `There is no git repository at ${address}.` : `Git could not fetch ${address}.`,
    { details: { output } },
  );
}

/** The host in an address, `git@host:path` among them; the address itself when there is none. */
function hostOf(address: string): string {
  return /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^/:]+)/i.exec(address)?.[1] ?? address;
}
