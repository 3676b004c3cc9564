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
 * Attributes are subjects, route templates, codes and counts. Never add a parameter, a body, an address or an id: readers of
 * traces may not have access to the data.
 */
export interface SpanParts extends Omit<SpanOptions, 'attributes'> {
  attributes: Attributes;
  /** Context of the parent span. Default: the active context. */
  parent?: Context;
}

/** Runs the work in a new span. Records only the code of an error that the work throws. */
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

/** Runs the work in a span if there is a trace. Only requests begin traces. */
export function inSpanOf<T>(name: string, parts: SpanParts, work: () => Promise<T>): Promise<T> {
  return trace.getSpan(parts.parent ?? context.active()) ? inSpan(name, parts, work) : work();
}

/** Opens a span that the caller ends elsewhere, with the context for its children. */
export function openSpan(name: string, { parent = context.active(), ...options }: SpanParts) {
  const span = tracer.startSpan(name, options, parent);
  return { span, within: trace.setSpan(parent, span) };
}

export function failSpan(span: Span, code: string): void {
  span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
}

/** Records codes and class names only, because error messages may contain anything. */
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

/** Writes the W3C `traceparent` of the active span, if there is one. */
export const carryTrace = (headers: MsgHdrs): void => propagation.inject(context.active(), headers, setter);

/** The trace that a message belongs to, or the root context. */
export const traceOf = (headers: MsgHdrs | undefined): Context =>
  headers ? propagation.extract(ROOT_CONTEXT, headers, getter) : ROOT_CONTEXT;
