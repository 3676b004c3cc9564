import { type MsgHdrs } from '@nats-io/transport-node';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  type TextMapGetter,
  type TextMapSetter,
  trace,
} from '@opentelemetry/api';
import { isAppError } from '@weir/contracts';

/** Records nothing until a process sets a provider (`service-kit`'s `startTraces`). */
const tracer = trace.getTracer('weir');

/**
 * Attributes are subjects, route templates, codes and counts. Never a parameter, a body, an address or an id of anybody's:
 * whoever reads traces may not be whoever may read the data.
 */
export interface SpanParts extends Omit<SpanOptions, 'attributes'> {
  attributes: Attributes;
  /** What the span is a part of; by default what is under way. */
  parent?: Context;
}

/** Does the work as a span of its own. An error that it throws is the span's, by its code alone. */
async function inSpan<T>(name: string, parts: SpanParts, work: (span: Span) => Promise<T>): Promise<T> {
  const { parent = context.active(), ...options } = parts;
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, codeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The same as a part of a trace that is there: requests begin traces, nothing else does. */
export function inSpanOf<T>(name: string, parts: SpanParts, work: () => Promise<T>): Promise<T> {
  return trace.getSpan(parts.parent ?? context.active()) ? inSpan(name, parts, work) : work();
}

/** A span that ends elsewhere than where it begins, and the context of what is a part of it. */
export function openSpan(name: string, { parent = context.active(), ...options }: SpanParts) {
  const span = tracer.startSpan(name, options, parent);
  return { span, within: trace.setSpan(parent, span) };
}

export function failSpan(span: Span, code: string): void {
  span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
}

/** Messages of errors may hold anything; codes and class names do not. */
function codeOf(error: unknown): string {
  if (isAppError(error)) return error.code;
  if (!(error instanceof Error)) return 'unknown';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : error.name;
}

const setter: TextMapSetter<MsgHdrs> = { set: (headers, name, value) => headers.set(name, value) };
const getter: TextMapGetter<MsgHdrs> = {
  get: (headers, name) => headers.get(name) || undefined,
  keys: (headers) => headers.keys(),
};

/** Writes W3C `traceparent` of what is under way, when that is traced. */
export const carryTrace = (headers: MsgHdrs): void => propagation.inject(context.active(), headers, setter);

/** The trace that a message belongs to; the root when there is none. */
export const traceOf = (headers: MsgHdrs | undefined): Context =>
  headers ? propagation.extract(ROOT_CONTEXT, headers, getter) : ROOT_CONTEXT;
