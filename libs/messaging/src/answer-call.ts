import type { Msg } from '@nats-io/transport-node';
import { type Context, context, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { CallObserver, CallOutcome } from './call-observer.js';
import { newRequestId, REQUEST_ID_HEADER, requestContext } from './request-context.js';
import { failSpan, openSpan, traceOf } from './tracing.js';

/**
 * For services that answer calls without Nest's transport. `work` sends the answer and returns the outcome. It must not reject.
 */
export async function answerCall(
  subject: string,
  message: Msg,
  work: () => Promise<CallOutcome>,
  observer?: Pick<CallObserver, 'answered'>,
): Promise<void> {
  const requestId = message.headers?.get(REQUEST_ID_HEADER) || newRequestId();
  const { span, within } = openCallSpan(subject, message);
  const startedAt = performance.now();
  const outcome = await context.with(within, () => requestContext.run({ requestId }, work));
  observer?.answered(subject, outcome, (performance.now() - startedAt) / 1_000);
  endCallSpan(span, outcome);
}

/** Opens the span for answering a call, if the caller sent a trace. `within` is the context in which to do the work. */
export function openCallSpan(subject: string, { headers }: Pick<Msg, 'headers'>): { within: Context; span?: Span } {
  const attributes = { 'rpc.system': 'nats', 'rpc.method': subject };
  const parent = traceOf(headers);
  if (!trace.getSpan(parent)) return { within: parent };
  return openSpan(subject, { kind: SpanKind.SERVER, attributes, parent });
}

export function endCallSpan(span: Span | undefined, outcome: CallOutcome): void {
  if (span && outcome !== 'ok') failSpan(span, outcome);
  span?.end();
}
