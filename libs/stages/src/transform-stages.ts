import { type EventResult, isAppError, type JsonObject } from '@weir/contracts';
import { type DestinationKind, maskOf, type Payload } from '@weir/destinations';
import { during } from '@weir/messaging';

/** Result of user code for an event. `unlinked` means that the destination has no transformation. */
export type UserOutcome = EventResult | { status: 'unlinked' };

export type AfterUserStage =
  | { status: 'passed' | 'unlinked'; events: JsonObject[] }
  | { status: 'dropped' }
  | { status: 'failed'; reason: string };

/** Returns the events for the destination transformation, in tests and live traffic. */
export function userStage(event: JsonObject, outcome: UserOutcome): AfterUserStage {
  switch (outcome.status) {
    case 'unlinked':
      return { status: 'unlinked', events: [event] };
    case 'error':
      return { status: 'failed', reason: outcome.error.message };
    case 'dropped':
      return { status: 'dropped' };
    case 'ok':
      return outcome.outputs.length === 0 ? { status: 'dropped' } : { status: 'passed', events: outcome.outputs };
  }
}

export type AfterDestStage = { status: 'passed'; payloads: Payload[] } | { status: 'failed'; reason: string };

const UNEXPECTED = 'The event cannot be transformed for this destination';

/** Runs the destination transformation, for tests and live events. A failure reason never contains a secret. */
export function destStage(kind: DestinationKind, event: JsonObject, config: JsonObject): AfterDestStage {
  try {
    return {
      status: 'passed',
      payloads: during(`transform:${kind.definition.name}`, () => kind.transform(event, config)),
    };
  } catch (error) {
    const reason = isAppError(error) ? error.message : UNEXPECTED;
    return { status: 'failed', reason: maskOf(kind, config).in(reason) };
  }
}
