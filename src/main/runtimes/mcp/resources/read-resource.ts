import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import type { ResourceContent, ResourceOutput } from "../../plugin-call.ts";

const contentsSchema = z.object({
  uri: z.string().max(8_000),
  mimeType: z.string().max(200).optional().catch(undefined),
  text: z.string().optional(),
  blob: z.base64().optional(),
});
const readSchema = z.object({ contents: z.array(contentsSchema).max(1_000) });

/** A resource that was read. @throws ZodError when it cannot be read; PatchbayError NOT_FOUND when there is nothing in it */
export function resourceOutputOf(raw: unknown): ResourceOutput {
  const contents = readSchema
    .parse(raw)
    .contents.flatMap(({ uri, mimeType, text, blob }): ResourceContent[] => {
      if (text !== undefined) return [{ uri, mimeType, text }];
      return blob === undefined ? [] : [{ uri, mimeType, base64: blob }];
    });
  if (contents.length === 0) throw new PatchbayError("NOT_FOUND", "There is nothing in it.");
  return { contents };
}
