import { isAppError, type JsonObject } from '@weir/contracts';
import { type DestinationKind, maskOf, type Payload } from '@weir/destinations';
import { during } from '@weir/messaging';

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
