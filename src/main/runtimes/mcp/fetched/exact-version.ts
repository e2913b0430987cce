import { tmpdir } from "node:os";
import { z } from "zod";
import { hostEnvironment } from "../../../platform/host-environment.ts";
import type { LoginPath } from "../../../platform/login-path.ts";
import { Program } from "../../../platform/program.ts";
import { foundIn } from "../server/command-line.ts";
import type { ServerFile } from "../server/server-file.ts";
import { type Fetched, fetchedBy, fetching } from "./fetched.ts";

/** How long a registry may take that the program asks, in milliseconds. */
const PATIENCE_MS = 30_000;
const MOST_CHARACTERS = 1024 * 1024;

/** Finds the exact version of what a command fetches, with the program that would fetch it. Nothing of the package is run or built. */
export class ExactVersions {
  readonly #path: Pick<LoginPath, "get">;

  constructor(loginPath: Pick<LoginPath, "get">) {
    this.#path = loginPath;
  }

  /**
   * The server with the digest of its image, or the version of its package of Python, in its command; as it is where that cannot be
   * found out, because the program is not there or its registry does not answer.
   */
  async of(file: ServerFile, signal: AbortSignal): Promise<ServerFile> {
    const { server } = file;
    const fetched = fetchedBy(server);
    if (server.type !== "program" || fetched?.spec == null) return file;
    const path = await this.#path.get();
    const ask: Ask = (program, args, input = "") => said(program, args, { input, path, signal });
    switch (fetched.by) {
      case "docker":
      case "podman": {
        const image = await digestOf(fetched.spec, fetched.by, ask);
        return image === null ? file : { ...file, server: fetching(server, fetched, image) };
      }
      case "uvx": {
        const parts = fetched.exact ? null : await versionOf(fetched.spec, fetched, ask);
        return parts === null ? file : { ...file, server: fetching(server, fetched, ...parts) };
      }
      case "pipx":
      case "dnx":
      case "npx":
        return file;
    }
  }
}

type Ask = (program: string, args: string[], input?: string) => Promise<string | null>;

/** An image with its digest: of the one that is here, else of the one that its registry has. */
async function digestOf(image: string, by: "docker" | "podman", ask: Ask): Promise<string | null> {
  if (image.includes("@") || image.startsWith("-")) return null;
  const name = image.replace(/:[^/:]*$/, "");
  const here = await ask(by, ["image", "inspect", "--format", "{{json .RepoDigests}}", image]);
  const digests = z.array(z.string()).safeParse(jsonOf(here)).data ?? [];
  const own = digests.find((digest) => name.endsWith(digest.replace(/@.*$/, "")))?.replace(/^.*@/, "");
  const digest = own ?? (by === "docker" ? await registeredDigest(image, ask) : undefined);
  if (digest === undefined || !/^sha256:[0-9a-f]{64}$/.test(digest)) return null;
  // The tag stays for people to read where the program takes both.
  return `${by === "docker" ? image : name}@${digest}`;
}

async function registeredDigest(image: string, ask: Ask): Promise<string | undefined> {
  const there = await ask("docker", [
    "buildx",
    "imagetools",
    "inspect",
    "--format",
    "{{json .Manifest}}",
    image,
  ]);
  return z.object({ digest: z.string() }).safeParse(jsonOf(there)).data?.digest;
}

/** A package of Python at the version that its index would give now, as arguments. */
async function versionOf(spec: string, { behind }: Fetched, ask: Ask): Promise<string[] | null> {
  const [, name, extras = ""] =
    /^([A-Za-z0-9][\w.-]*)(\[[\w.,-]+\])?(?:@latest|[<>=~!][\w.,<>=~!*+ -]*)?$/.exec(spec) ?? [];
  if (name === undefined) return null;
  const wanted = spec.replace(/@latest$/, "");
  const compile = [
    "pip",
    "compile",
    "--no-deps",
    "--no-build",
    "--no-header",
    "--no-annotate",
    "--quiet",
    "-",
  ];
  const found = await ask("uv", compile, `${wanted}\n`);
  const version = /^[A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?==([\w.!+-]+)\s*$/m.exec(found ?? "")?.[1];
  if (version === undefined) return null;
  if (behind) return [`${name}${extras}==${version}`];
  return extras === "" ? [`${name}@${version}`] : ["--from", `${name}${extras}==${version}`, name];
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** What a program says; null where it is not there, fails or takes too long. */
async function said(
  program: string,
  args: string[],
  { input, path, signal }: { input: string; path: string; signal: AbortSignal },
): Promise<string | null> {
  const file = foundIn(program, path);
  if (file === null) return null;
  signal.throwIfAborted();
  const env = { ...hostEnvironment(), PATH: path, UV_PYTHON_DOWNLOADS: "never" };
  const asked = new Program({ file, args, cwd: tmpdir(), env, input: input !== "" });
  const stop = () => asked.signal("SIGKILL");
  signal.addEventListener("abort", stop, { once: true });
  asked.signalAfter(PATIENCE_MS, "SIGKILL");
  let text = "";
  asked.stdout.setEncoding("utf8").on("data", (piece: string) => {
    if (text.length < MOST_CHARACTERS) text += piece;
  });
  asked.stderr.resume();
  if (input !== "") asked.stdin?.end(input);
  try {
    const { code } = await asked.ended;
    signal.throwIfAborted();
    return code === 0 ? text : null;
  } catch {
    signal.throwIfAborted();
    return null;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
