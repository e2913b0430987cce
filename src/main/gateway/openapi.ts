import { contract, problemSchema } from "../../contract/index.ts";

let document: Promise<unknown> | undefined;

/** The REST interface as an OpenAPI document, written once when somebody first asks. */
export function openApiDocument(version: string): Promise<unknown> {
  document ??= generate(version);
  return document;
}

async function generate(version: string): Promise<unknown> {
  const [{ OpenAPIGenerator }, { ZodToJsonSchemaConverter }] = await Promise.all([
    import("@orpc/openapi"),
    import("@orpc/zod/zod4"),
  ]);
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  return generator.generate(contract, {
    info: {
      title: "Patchbay",
      version,
      description:
        "Everything that Patchbay's screens can do. A failure is answered as `{code, message, help?, details?}`.",
    },
    servers: [{ url: "/api" }],
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "The token in gateway.json; it is replaced every hour.",
        },
      },
    },
    commonSchemas: { Problem: { schema: problemSchema } },
  });
}
