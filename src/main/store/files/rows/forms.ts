import { z } from "zod";
import { only } from "../../storage.ts";

/** The form of a file's content, and how documents are read from it and put into it. */
export interface Form<T> {
  schema: z.ZodType<unknown>;
  read(data: unknown): [id: string, value: T][];
  write(values: ReadonlyMap<string, T>): unknown;
  migrate(migration: (old: unknown) => unknown): (data: unknown) => unknown;
}

/**
 * The schemas of whole files, by the schema of the documents. Each is made once, because making one takes longer than
 * reading a small file.
 */
const fileSchemas = new WeakMap<z.ZodType, Map<string, z.ZodType>>();

/** @param form name of the kind of file, because one document schema may be used in several */
function fileSchema(schema: z.ZodType, form: string, make: () => z.ZodType): z.ZodType {
  const known = fileSchemas.get(schema) ?? new Map<string, z.ZodType>();
  fileSchemas.set(schema, known);
  const made = known.get(form) ?? make();
  known.set(form, made);
  return made;
}

export function documentForm<T>(schema: z.ZodType<T>): Form<T> {
  return {
    schema: fileSchema(schema, "one", () => schema.nullable()),
    read: (data) => (data === null ? [] : [[only, data as T]]),
    write: (values) => values.get(only) ?? null,
    migrate: (migration) => migration,
  };
}

export function listForm<T>(field: string, idOf: (value: never) => string, schema: z.ZodType<T>): Form<T> {
  const list = (data: unknown) => (data as Record<string, unknown[]>)[field] ?? [];
  return {
    schema: fileSchema(schema, `list ${field}`, () => z.object({ [field]: z.array(schema) })),
    read: (data) => list(data).map((value) => [idOf(value as never), value as T]),
    write: (values) => ({ [field]: [...values.values()] }),
    migrate: (migration) => (data) => ({ [field]: list(data).map(migration) }),
  };
}

export function recordForm<T>(schema: z.ZodType<T>): Form<T> {
  return {
    schema: fileSchema(schema, "record", () => z.record(z.string(), schema)),
    read: (data) => Object.entries(data as Record<string, T>),
    write: (values) => Object.fromEntries(values),
    migrate: (migration) => (data) =>
      Object.fromEntries(Object.entries(data as object).map(([id, value]) => [id, migration(value)])),
  };
}
