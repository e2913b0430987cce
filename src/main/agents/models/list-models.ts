import { z } from "zod";
import {
  type HttpModelConfig,
  type ListedModel,
  type ModelList,
  type ModelPlace,
  type ModelProvider,
  PatchbayError,
  type Problem,
  providerOf,
} from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { catalogueFor, catalogueOf, listed } from "./catalogue.ts";
import { modelFailure } from "./exchange/model-failure.ts";
import { WatchedFetch } from "./exchange/watched-fetch.ts";
import { askableModel } from "./provider-model.ts";

/** How long a provider may take to say what it has, in milliseconds. */
const patienceMs = 10_000;
const mostBytes = 8 * 1024 * 1024;
const mostModels = 2_000;

/**
 * Asks a provider or an address for its models, and says of each what is known. Never rejects for what the other side does.
 * @param apiKey the key itself; undefined: none
 */
export async function listModels(
  place: ModelPlace,
  apiKey: string | undefined,
  clock: Clock = systemClock,
): Promise<ModelList> {
  const config: HttpModelConfig = { ...place, model: "" };
  const { model } = await askableModel(config);
  const catalogue = catalogueFor(config);
  const known = await Promise.all((catalogue ? await catalogueOf(catalogue) : []).map(listed));
  const begun = clock.ticks();
  const facts: Partial<ModelProvider> = place.kind === "provider" ? providerOf(place.provider) : {};
  const unlisted: ModelList = {
    ok: true,
    models: sorted(known),
    source: "catalogue",
    keySeen: false,
    baseUrl: model.baseUrl,
    ms: 0,
  };
  if (facts.noList && place.baseUrl === undefined) return unlisted;
  const asked = await firstThatAnswers(model.api, addressesOf(place, model.baseUrl), apiKey, clock);
  if (asked.models) {
    return {
      ok: true,
      models: sorted(asked.models.filter(isSpoken(known)).map((one) => withFacts(one, known))),
      source: "provider",
      keySeen: apiKey !== undefined && !facts.openList,
      baseUrl: asked.baseUrl,
      ms: Math.round(clock.ticks() - begun),
    };
  }
  // It has no such list, which says nothing against it.
  if (asked.problem.code === "MODEL_NOT_FOUND") return { ...unlisted, baseUrl: asked.baseUrl };
  return { ok: false, problem: asked.problem, baseUrl: asked.baseUrl };
}

/** Of an address without a path also the one at which most servers have their models. */
function addressesOf({ kind }: ModelPlace, baseUrl: string): string[] {
  const bare = URL.parse(baseUrl)?.pathname === "/" && kind !== "anthropic";
  const base = baseUrl.replace(/\/+$/, "");
  return bare && kind !== "provider" ? [base, `${base}/v1`] : [base];
}

type Answer = { baseUrl: string } & (
  | { models: Offered[]; problem?: never }
  | { models?: never; problem: Problem }
);

async function firstThatAnswers(
  api: string,
  addresses: readonly string[],
  apiKey: string | undefined,
  clock: Clock,
): Promise<Answer> {
  let first: Answer | undefined;
  for (const baseUrl of addresses) {
    const answer = await ask(api, baseUrl, apiKey, clock);
    if (answer.models) return answer;
    // A key that is refused is refused at the right place.
    if (!first || answer.problem.code === "MODEL_KEY_REFUSED") first = answer;
    if (answer.problem.code === "MODEL_UNREACHABLE") break;
  }
  if (!first) throw new Error("no address to ask");
  return first;
}

async function ask(api: string, baseUrl: string, apiKey: string | undefined, clock: Clock): Promise<Answer> {
  const { path, headers } = wayOf(api, apiKey);
  const watch = new WatchedFetch(clock);
  const patience = new AbortController();
  const cancel = clock.after(patienceMs, () => patience.abort());
  const fails = (answer: string): Answer => ({
    baseUrl,
    problem: modelFailure(
      watch.last,
      { baseUrl, model: "", hasKey: apiKey !== undefined },
      answer,
      undefined,
      clock.now(),
    ),
  });
  try {
    const response = await watch.fetch(`${baseUrl}${path}`, { headers, signal: patience.signal });
    const text = await textOf(response);
    if (!response.ok) return fails(text);
    const models = offeredIn(text);
    return models ? { baseUrl, models } : { baseUrl, problem: noList(baseUrl, response) };
  } catch {
    if (!patience.signal.aborted) return fails("");
    const late = `${baseUrl} did not answer within ${patienceMs / 1_000} s.`;
    return { baseUrl, problem: new PatchbayError("MODEL_UNREACHABLE", late).toProblem() };
  } finally {
    cancel();
  }
}

/** How the list is asked for, by what is spoken there. */
function wayOf(api: string, key: string | undefined): { path: string; headers: Record<string, string> } {
  const bearer = key === undefined ? undefined : { authorization: `Bearer ${key}` };
  switch (api) {
    case "anthropic-messages":
      return {
        path: "/v1/models?limit=1000",
        headers: { "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) },
      };
    case "google-generative-ai":
      return {
        path: "/models?pageSize=1000",
        headers: { ...(key !== undefined && { "x-goog-api-key": key }) },
      };
    case "mistral-conversations":
      return { path: "/v1/models", headers: { ...bearer } };
    default:
      return { path: "/models", headers: { ...bearer } };
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new Error("the list is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const offeredSchema = z
  .object({
    id: z.string().min(1).max(300).optional(),
    /** Google's `models/name`. */
    name: z.string().max(300).nullish(),
    displayName: z.string().max(300).nullish(),
    display_name: z.string().max(300).nullish(),
    context_length: z.number().nullish(),
    inputTokenLimit: z.number().nullish(),
    max_model_len: z.number().nullish(),
    supportedGenerationMethods: z.array(z.string()).nullish(),
  })
  .transform(({ id, name, displayName, display_name, supportedGenerationMethods: can, ...sizes }) => ({
    id: id ?? name?.replace(/^models\//, "") ?? "",
    name: displayName ?? display_name ?? (id === undefined ? null : (name ?? null)),
    contextWindow: sizes.context_length ?? sizes.inputTokenLimit ?? sizes.max_model_len ?? null,
    speaks: can == null || can.includes("generateContent"),
  }));
type Offered = z.infer<typeof offeredSchema>;

/** The lists that providers give: `data` of OpenAI and those like it, `models` of Google, and a bare one. */
const listSchema = z.union([
  z.object({ data: z.array(offeredSchema) }).transform(({ data }) => data),
  z.object({ models: z.array(offeredSchema) }).transform(({ models }) => models),
  z.array(offeredSchema),
]);

function offeredIn(text: string): Offered[] | null {
  try {
    const parsed = listSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.filter(({ id }) => id !== "").slice(0, mostModels) : null;
  } catch {
    return null;
  }
}

/** Those that can be talked to; by their names, where nothing else is known. */
function isSpoken(known: readonly ListedModel[]): (model: Offered) => boolean {
  const names = new Set(known.map(({ id }) => id));
  return ({ id, speaks }) =>
    names.has(id) ||
    (speaks &&
      !/embed|whisper|\btts\b|-tts|dall-e|moderation|rerank|transcribe|image|realtime|sora|audio/i.test(id));
}

function withFacts({ id, name, contextWindow }: Offered, known: readonly ListedModel[]): ListedModel {
  const facts = known.find((model) => model.id === id);
  return facts ?? { id, name: name ?? id, contextWindow, pictures: null, thinking: [], price: null };
}

function sorted(models: readonly ListedModel[]): ListedModel[] {
  return [...models].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** A page is no model; what else answers may be one all the same. */
function noList(baseUrl: string, { headers }: Response): Problem {
  const isPage = headers.get("content-type")?.startsWith("text/html");
  return new PatchbayError(
    isPage ? "MODEL_NOT_A_MODEL" : "MODEL_NOT_FOUND",
    isPage ? `${baseUrl} is no address of a model.` : `${baseUrl} gives no list of its models.`,
    { details: { baseUrl } },
  ).toProblem();
}
