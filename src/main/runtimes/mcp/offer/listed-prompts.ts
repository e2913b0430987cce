import { z } from "zod";
import { cleanLine, cleanText } from "../../../../contract/shown/clean-text.ts";
import type { PromptInfo } from "../../runtime.ts";

/** Most arguments of a prompt: a form for more is filled in by nobody. */
const MOST_ARGUMENTS = 100;
const promptSchema = z.object({
  name: z.string().min(1).max(128),
  title: z.string().optional().catch(undefined),
  description: z.string().catch(""),
  arguments: z
    .array(
      z.object({
        name: z.string().min(1).max(128),
        title: z.string().optional().catch(undefined),
        description: z.string().catch(""),
        required: z.boolean().catch(false),
      }),
    )
    .max(MOST_ARGUMENTS)
    .nullish(),
});

/** The prompts of a list. A faulty one is left out by its name, and nothing else. */
export function offeredPrompts(raw: readonly unknown[]): { prompts: PromptInfo[]; notes: string[] } {
  const faulty: string[] = [];
  const prompts = raw.flatMap((one): PromptInfo[] => {
    const read = promptSchema.safeParse(one);
    const names = new Set(read.data?.arguments?.map(({ name }) => name));
    if (!read.success || names.size < (read.data.arguments?.length ?? 0)) {
      const named = z.object({ name: z.string().min(1) }).safeParse(one);
      faulty.push(named.success ? cleanLine(named.data.name).slice(0, 100) : "one without a name");
      return [];
    }
    const { name, title, description, arguments: asked } = read.data;
    return [
      {
        name,
        description: cleanText(description || title || name),
        arguments: (asked ?? []).map((argument) => ({
          name: argument.name,
          ...(argument.title && { title: cleanLine(argument.title).slice(0, 200) }),
          description: cleanText(argument.description),
          required: argument.required,
        })),
      },
    ];
  });
  if (faulty.length === 0) return { prompts, notes: [] };
  const [are, their] = faulty.length === 1 ? ["is", "its"] : ["are", "their"];
  const which = faulty.slice(0, 10).join(", ");
  return {
    prompts,
    notes: [
      `${faulty.length} of ${raw.length} prompts ${are} left out, ${their} description is faulty: ${which}.`,
    ],
  };
}
