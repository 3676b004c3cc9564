import type { EventResult, JsonObject } from '@weir/contracts';

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
