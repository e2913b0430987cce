import { z } from "zod";
import { type ResourceInfo, type ResourceTemplate, variablesIn } from "../../../../contract/index.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import type { ResourceList } from "../../plugin-call.ts";

/** Asks the server; the answer is read by `read`. */
type Ask = <T>(
  request: { method: string; params: Record<string, unknown> },
  read: (raw: unknown) => Promise<T>,
) => Promise<T>;

const MOST_PAGES = 64;
const MOST = 5_000;

/** What a server can read. Asked for when somebody looks for it first, and kept until the server says that it has changed. */
export class ListedResources {
  #known: ResourceList | null = null;
  /** Rises with each change, so that a list that was asked for before is not kept. */
  #changes = 0;

  changed(): void {
    this.#changes += 1;
    this.#known = null;
  }

  /** A faulty entry is left out, and nothing else. @throws PatchbayError, ZodError when it does not say what it has */
  async list(ask: Ask): Promise<ResourceList> {
    if (this.#known) return this.#known;
    const before = this.#changes;
    const resources = await pagesOf(ask, "resources/list", "resources");
    // Many servers have none, and do not know the question.
    const templates = await pagesOf(ask, "resources/templates/list", "resourceTemplates").catch(() => []);
    const list = { resources: resources.flatMap(resourceOf), templates: templates.flatMap(templateOf) };
    if (before === this.#changes) this.#known = list;
    return list;
  }
}

async function pagesOf(ask: Ask, method: string, field: string): Promise<unknown[]> {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  const page = z.looseObject({
    [field]: z.array(z.unknown()),
    nextCursor: z.string().optional().catch(undefined),
  });
  for (let number = 0; number < MOST_PAGES && entries.length < MOST; number += 1) {
    const answer = await ask({ method, params: cursor === undefined ? {} : { cursor } }, async (raw) =>
      page.parse(raw),
    );
    entries.push(...(answer[field] as unknown[]));
    cursor = answer.nextCursor as string | undefined;
    if (cursor === undefined || cursor === "") break;
  }
  return entries.slice(0, MOST);
}

const line = z
  .string()
  .transform((text) => cleanLine(text).slice(0, 300))
  .optional()
  .catch(undefined);
const described = {
  name: line,
  title: line,
  description: z
    .string()
    .transform((text) => cleanLine(text).slice(0, 1_000))
    .catch(""),
  mimeType: line,
};
/** An address that is shown as it is. */
const address = z
  .string()
  .min(1)
  .max(8_000)
  .refine((uri) => cleanLine(uri) === uri);
const resourceSchema = z.object({
  ...described,
  uri: address,
  size: z.number().int().nonnegative().optional().catch(undefined),
  annotations: z
    .object({
      audience: z
        .array(z.enum(["user", "assistant"]))
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});
const templateSchema = z.object({ ...described, uriTemplate: address });

function resourceOf(raw: unknown): ResourceInfo[] {
  const read = resourceSchema.safeParse(raw);
  if (!read.success) return [];
  const { uri, name, title, description, mimeType, size, annotations } = read.data;
  const audience = annotations?.audience;
  return [
    {
      uri,
      name: title || name || uri,
      description,
      ...(mimeType && { mimeType }),
      ...(size !== undefined && { bytes: size }),
      ...(audience?.length && { audience }),
    },
  ];
}

function templateOf(raw: unknown): ResourceTemplate[] {
  const read = templateSchema.safeParse(raw);
  const variables = read.success ? variablesIn(read.data.uriTemplate) : null;
  if (!read.success || !variables || variables.length === 0 || variables.length > 50) return [];
  const { uriTemplate, name, title, description, mimeType } = read.data;
  return [
    {
      uriTemplate,
      name: title || name || uriTemplate,
      description,
      variables,
      ...(mimeType && { mimeType }),
    },
  ];
}
