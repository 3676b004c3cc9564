import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { MsgHdrs } from '@nats-io/transport-node';
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

export const REQUEST_ID_HEADER = 'x-request-id';

export interface RequestContext {
  /** One id for everything that a caller's request causes. It appears in the logs of every process. */
  readonly requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Carries the request id from the HTTP header to NATS headers and log lines, without a parameter on every function. */
export const requestContext = {
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
  get: (): RequestContext | undefined => storage.getStore(),
};

export const newRequestId = (): string => randomUUID();

/** Records nothing until a process sets a provider (`service-kit`'s `startTraces`). */
const tracer = trace.getTracer('weir');

/**
 * Attributes are subjects, route templates, codes and counts. Never add a parameter, a body, an address or an id: readers of
 * traces may not have access to the data.
 */
export interface SpanSettings extends Omit<SpanOptions, 'attributes'> {
  attributes: Attributes;
  /** Context of the parent span. Default: the active context. */
  parent?: Context;
}

/** Runs the work in a new span. Records only the code of an error that the work throws. */
async function inSpan<T>(name: string, settings: SpanSettings, work: (span: Span) => Promise<T>): Promise<T> {
  const { parent = context.active(), ...options } = settings;
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
export function inSpanOf<T>(name: string, settings: SpanSettings, work: () => Promise<T>): Promise<T> {
  return trace.getSpan(settings.parent ?? context.active()) ? inSpan(name, settings, work) : work();
}

/**
 * Runs the work in a span of each of these contexts that has a trace. Hands it the contexts of the spans, in the places of their
 * parents.
 */
export async function inSpansOf<T>(
  name: string,
  settings: Omit<SpanSettings, 'parent'>,
  parents: readonly Context[],
  work: (within: (Context | undefined)[]) => Promise<T>,
): Promise<T> {
  const opened = parents.map((parent) => (trace.getSpan(parent) ? openSpan(name, { ...settings, parent }) : undefined));
  try {
    return await work(opened.map((one) => one?.within));
  } catch (error) {
    for (const one of opened) if (one) failSpan(one.span, codeOf(error));
    throw error;
  } finally {
    for (const one of opened) one?.span.end();
  }
}

/** Opens a span that the caller ends elsewhere, with the context for its children. */
export function openSpan(name: string, { parent = context.active(), ...options }: SpanSettings) {
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

const TRACEPARENT = 'traceparent';
/** A message with several batches has such a header for each traced one. The first has the standard name. */
const nameAt = (name: string, position: number): string => (position === 0 ? name : `${name}-${position}`);

const setterAt = (position: number): TextMapSetter<MsgHdrs> => ({
  set: (headers, name, value) => {
    if (position === 0 || name === TRACEPARENT) headers.set(nameAt(name, position), value);
  },
});
const getterAt = (position: number): TextMapGetter<MsgHdrs> => ({
  get: (headers, name) => headers.get(nameAt(name, position)) || undefined,
  keys: (headers) => headers.keys(),
});

/** Writes the W3C `traceparent` of a span, if there is one, for the message or for the batch at this position of it. */
export const carryTrace = (headers: MsgHdrs, within = context.active(), position = 0): void =>
  propagation.inject(within, headers, setterAt(position));

/** The trace that a message or the batch at this position of it belongs to, or the root context. */
export const traceOf = (headers: MsgHdrs | undefined, position = 0): Context =>
  headers ? propagation.extract(ROOT_CONTEXT, headers, getterAt(position)) : ROOT_CONTEXT;
