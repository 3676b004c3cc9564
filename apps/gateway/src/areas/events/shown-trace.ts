import { type EventTrace, MASK, type Role, type TraceChange, type TraceStep } from '@weir/contracts';
import { seesEvents } from '../../http/principal.js';
import { isSecretName, redactedValue } from '../../http/redaction.js';

/** The trace as a role may see it. Only admin tokens see contents, with likely secrets masked. */
export const shownTrace = (role: Role, trace: EventTrace): EventTrace => ({
  ...trace,
  destinations: trace.destinations.map((destination) => ({
    ...destination,
    steps: destination.steps.map((step) => shownStep(role, step)),
  })),
});

function shownStep(role: Role, { payloads, code, ...step }: TraceStep): TraceStep {
  const isAdmin = seesEvents(role);
  const changes = code?.changes?.map((change) => (isAdmin ? redactedChange(change) : withoutValues(change)));
  return {
    ...step,
    ...(code && { code: { ...code, ...(changes && { changes }) } }),
    ...(isAdmin && payloads && { payloads: payloads.map(redactedValue) }),
  };
}

const withoutValues = ({ op, path }: TraceChange): TraceChange => ({ op, path });

function redactedChange({ op, path, ...values }: TraceChange): TraceChange {
  const isSecret = isSecretName(path.slice(path.lastIndexOf('/') + 1));
  const shown = Object.entries(values).map(([key, value]) => [key, isSecret ? MASK : redactedValue(value)]);
  return { op, path, ...Object.fromEntries(shown) };
}
