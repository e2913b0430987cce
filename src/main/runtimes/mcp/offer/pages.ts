import { z } from "zod";

/** Most pages of one list. */
const MOST_PAGES = 64;
/** As many entries are read of a list that goes on. */
export const mostEntries = 5_000;

function pageSchema(field: string) {
  return z
    .looseObject({ [field]: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) })
    .transform((page) => ({
      entries: page[field] as unknown[],
      cursor: page.nextCursor as string | undefined,
    }));
}
export type PageSchema = ReturnType<typeof pageSchema>;

/**
 * Reads a list page by page.
 *
 * @param field in which the entries of a page lie
 * @param ask makes the request for a page, and reads its answer by the schema
 * @returns the entries, unjudged, and whether they are all: of a list without an end only the first are taken
 */
export async function allPages(
  field: string,
  ask: (params: { cursor?: string }, page: PageSchema) => Promise<z.infer<PageSchema>>,
): Promise<{ entries: unknown[]; isWhole: boolean }> {
  const schema = pageSchema(field);
  const all: unknown[] = [];
  let next: string | undefined;
  for (let page = 0; page < MOST_PAGES && all.length < mostEntries; page += 1) {
    const { entries, cursor } = await ask(next === undefined ? {} : { cursor: next }, schema);
    // A page may have more entries than a call takes arguments.
    for (const entry of entries) all.push(entry);
    if (cursor === undefined || cursor === "") return { entries: all, isWhole: true };
    next = cursor;
  }
  return { entries: all.slice(0, mostEntries), isWhole: false };
}
