import { ProtocolError } from "@modelcontextprotocol/client";
import { z } from "zod";
import {
  PatchbayError,
  type ResourceInfo,
  type ResourceTemplate,
  resourceAddressSchema,
  variablesIn,
} from "../../../../contract/index.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import type { ResourceList } from "../../plugin-call.ts";
import { allPages, mostEntries } from "../offer/pages.ts";

/** Asks the server; the answer is read by `read`. */
type Ask = <T>(
  request: { method: string; params: Record<string, unknown> },
  read: (raw: unknown) => Promise<T>,
) => Promise<T>;

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
    // Many servers have none, and do not know the question. One that was not answered is asked again.
    const templates = await pagesOf(ask, "resources/templates/list", "resourceTemplates").catch((error) => {
      if (isAnswer(error)) return [];
      throw error;
    });
    const list = { resources: resources.flatMap(resourceOf), templates: templates.flatMap(templateOf) };
    if (before === this.#changes) this.#known = list;
    return list;
  }
}

async function pagesOf(ask: Ask, method: string, field: string): Promise<unknown[]> {
  const { entries } = await allPages(field, (params, page) =>
    ask({ method, params }, async (raw) => page.parse(raw)),
  );
  return entries.slice(0, mostEntries);
}

/** Whether the server answered, if not with what was asked for. */
function isAnswer(error: unknown): boolean {
  const { cause } = error instanceof PatchbayError ? error : {};
  return ProtocolError.isInstance(cause) || cause instanceof z.ZodError;
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
const resourceSchema = z.object({
  ...described,
  uri: resourceAddressSchema,
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
const templateSchema = z.object({ ...described, uriTemplate: resourceAddressSchema });

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
