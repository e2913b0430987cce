import root from "@opentelemetry/otlp-transformer/build/src/generated/root.js";
import { expect } from "vitest";
import type { OtlpRequest } from "../../src/main/agents/traces/export/otlp/otlp.ts";

/** What the package's generated code has for each message; it comes without types. */
interface MessageType {
  fromObject(given: object): object;
  /** Why the message does not fit; null when it does. */
  verify(message: object): string | null;
  encode(message: object): { finish(): Uint8Array };
  decode(wire: Uint8Array): object;
  toObject(message: object, options: { longs: typeof String; bytes: typeof String }): object;
}
interface Definitions {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: MessageType } } } } };
}
const { ExportTraceServiceRequest } = (root as unknown as Definitions).opentelemetry.proto.collector.trace.v1;

interface ReadSpan {
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  events: string[];
  parent: string | undefined;
  /** 2: it went wrong. */
  status: number | undefined;
  links: number;
  ms: number;
}

/**
 * Reads an export with OpenTelemetry's own protobuf definitions, over the wire format and back. Fails when a field is not in
 * them, has the wrong kind, or is lost on the way.
 */
export function readOtlp(text: string): ReadSpan[] {
  const given = JSON.parse(text) as OtlpRequest;
  // In OTLP's JSON the ids are hex, where protobuf's own JSON has base64.
  const asProtobuf = mapIds(given, (id) => Buffer.from(id, "hex").toString("base64"));
  const message = ExportTraceServiceRequest.fromObject(asProtobuf as object);
  expect(ExportTraceServiceRequest.verify(message)).toBeNull();
  const wire = ExportTraceServiceRequest.encode(message).finish();
  const read = ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.decode(wire), {
    longs: String,
    bytes: String,
  });
  expect(JSON.parse(JSON.stringify(read))).toEqual(asProtobuf);
  const spans = given.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const nameOf = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  for (const span of spans) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
  }
  expect(nameOf.size).toBe(spans.length);
  return spans.map((span) => ({
    name: span.name,
    kind: span.kind,
    attributes: Object.fromEntries(
      span.attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown]),
    ),
    events: (span.events ?? []).map(({ name }) => name),
    parent: span.parentSpanId && nameOf.get(span.parentSpanId),
    status: span.status?.code,
    links: span.links?.length ?? 0,
    ms: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  }));
}

function mapIds(value: unknown, change: (id: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapIds(one, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isId(name) && typeof one === "string" ? change(one) : mapIds(one, change),
    ]),
  );
}

const isId = (name: string) => ["traceId", "spanId", "parentSpanId"].includes(name);
