import { recordingServer } from '@weir/testing';

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
  };
}

function spansOf({ resource, scopeSpans }: OtlpTraces['resourceSpans'][number]): Span[] {
  const name = resource.attributes.find(({ key }) => key === 'service.name')?.value;
  const service = (name as { stringValue: string } | undefined)?.stringValue ?? '';
  return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
}

/** Path to the span from its outermost ancestor, each as `service: name`. */
export function pathTo(span: Span, all: readonly Span[]): string[] {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? pathTo(parent, all) : []), `${span.service}: ${span.name}`];
}
