import { isObject } from "../../../../../contract/is-object.ts";

/**
 * What `handleWebhook` returned, as data. A `Response` of fetch, `Headers` and bytes are taken too: JSON would make `{}` of
 * them.
 */
export async function webhookResponse(response: unknown): Promise<unknown> {
  if (typeof response === "string") return { status: 200, body: response };
  if (!isObject(response)) return { status: 200 };
  const body = response instanceof Response ? await response.text() : bodyOf(response.body);
  const headers =
    response.headers instanceof Headers ? Object.fromEntries(response.headers) : response.headers;
  return {
    status: typeof response.status === "number" ? response.status : 200,
    ...(body !== undefined && { body }),
    ...(isObject(headers) && { headers }),
  };
}

function bodyOf(body: unknown): string | undefined {
  if (body === undefined || typeof body === "string") return body;
  if (ArrayBuffer.isView(body))
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  return JSON.stringify(body);
}
