import { recordingServer, until } from '@weir/testing';

interface Attribute {
  key: string;
  value: object;
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
}

interface OtlpTraces {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

export interface Span extends OtlpSpan {
  /** The process that sent it. */
  service: string;
}

/** A test collector that receives OTLP as JSON over HTTP and stores it. */
export async function otlpReceiver() {
  const server = await recordingServer();
  server.answer({ body: {} });
  const sent = () => server.requests.map(({ body }) => body).join('\n');
  const spans = (): Span[] =>
    server.requests.flatMap(({ json }) => (json as OtlpTraces).resourceSpans.flatMap(spansOf));
  return {
    ...server,
    /** All bodies received, unchanged. */
    sent,
    spans,
    trace: (traceId: string) => spans().filter((span) => span.traceId === traceId),
    /** The path to a span from the caller's, which no process exports. Waits for each span: every process exports its own ones. */
    pathTo: (span: Span, callerSpanId: string) =>
      until(`every span above ${span.name}`, () => pathTo(span, callerSpanId, spans())),
  };
}

function spansOf({ resource, scopeSpans }: OtlpTraces['resourceSpans'][number]): Span[] {
  const name = resource.attributes.find(({ key }) => key === 'service.name')?.value;
  const service = (name as { stringValue: string } | undefined)?.stringValue ?? '';
  return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
}

/** Each span as `service: name`. Undefined while a span between the two is missing. */
function pathTo(span: Span, callerSpanId: string, all: readonly Span[]): string[] | undefined {
  const own = `${span.service}: ${span.name}`;
  if (span.parentSpanId === callerSpanId) return [own];
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  const above = parent && pathTo(parent, callerSpanId, all);
  return above && [...above, own];
}
