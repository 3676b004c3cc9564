import type { EventResult, JsonObject } from '@weir/contracts';

/** What user code made of an event; `unlinked` when the destination has no transformation. */
export type UserOutcome = EventResult | { status: 'unlinked' };

export type AfterUserStage =
  | { status: 'passed' | 'unlinked'; events: JsonObject[] }
  | { status: 'dropped' }
  | { status: 'failed'; reason: string };

/** The events that go on to the destination transformation, in tests and in live traffic alike. */
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
