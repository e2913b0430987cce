import { z } from "zod";
import type { LocalModel } from "../../../contract/procedures/models.ts";
import { type Clock, systemClock } from "../../base/clock.ts";

/** How long a server on this computer may take to say what it has, in milliseconds. */
const patienceMs = 1_000;
/** Of one server. */
const mostModels = 12;

const listSchema = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })) });
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The models that Ollama and LM Studio offer on this computer now; empty where neither runs. Only this computer is
 * asked: `OLLAMA_HOST` counts when it names it.
 */
export async function localModels(
  env: NodeJS.ProcessEnv = process.env,
  clock: Clock = systemClock,
): Promise<LocalModel[]> {
  const servers = [
    { server: "Ollama", baseUrl: ollamaAddress(env.OLLAMA_HOST) },
    { server: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
  ];
  const found = await Promise.all(
    servers.map(async ({ server, baseUrl }) =>
      (await namesAt(baseUrl, clock)).map((model) => ({ server, model, baseUrl })),
    ),
  );
  return found.flat();
}

function ollamaAddress(named = ""): string {
  const usual = "http://127.0.0.1:11434/v1";
  if (named === "") return usual;
  const url = URL.parse(named.includes("://") ? named : `http://${named}`);
  if (!url) return usual;
  // It is told to listen everywhere by this address, and is asked here.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (!loopback.has(url.hostname)) return usual;
  return `http://${url.hostname}:${url.port || "11434"}/v1`;
}

async function namesAt(baseUrl: string, clock: Clock): Promise<string[]> {
  const patience = new AbortController();
  const cancel = clock.after(patienceMs, () => patience.abort());
  try {
    const response = await fetch(`${baseUrl}/models`, { signal: patience.signal, redirect: "error" });
    if (!response.ok) return [];
    const { data } = listSchema.parse(await response.json());
    // Models that only turn texts into numbers cannot be talked to.
    return data
      .map(({ id }) => id)
      .filter((id) => !/embed/i.test(id))
      .slice(0, mostModels);
  } catch {
    return [];
  } finally {
    cancel();
  }
}
