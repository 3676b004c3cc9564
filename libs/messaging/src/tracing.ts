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
