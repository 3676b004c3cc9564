import type { ErrorDetails, JsonObject, StageFlags, StageResults } from '@weir/contracts';
import type { Payload } from '@weir/destinations';
import { type AfterDestStage, type SendOutcome, type UserOutcome, userStage } from '@weir/stages';

/** Texts that clients compare byte for byte (wire-facts 3.2). */
export const VERSION_NOT_FOUND = 'Transformation VersionID not found';
export const ABORTED_BY_USER_STAGE = 'error encountered in user_transformation stage. Aborting.';
export const ABORTED_BY_DEST_STAGE = 'error encountered in dest_transformation stage. Aborting.';
export const destinationDisabled = (id: string) => `Destination with id ${id} is disabled`;

/** Our own texts where the specification has none (rulings 19 and 20). */
export const SKIPPED_BECAUSE_DROPPED = 'event dropped in user_transformation stage. Skipping.';
export const USER_SUPPRESSED = 'The user of the event is suppressed. Nothing was sent';
export const notSupported = (type: string) => `Destinations of type ${type} are not supported by the Test API`;

export const stageError = (error: string): ErrorDetails => ({ error });

/** The work of each stage. `runStages` decides which stages run, in which order, and how a failure affects later ones. */
export interface StagePorts {
  runCode(event: JsonObject): Promise<UserOutcome>;
  transform(event: JsonObject): Promise<AfterDestStage>;
  send(payload: Payload): Promise<SendOutcome>;
  /** Why nothing may be sent. */
  refusal?: string | undefined;
}

/**
 * Runs the requested stages over one event and returns one element of `data` per resulting event (ruling 20). A stage that was
 * not requested leaves no key. A failed stage aborts later requested ones (spec 4.3 rules 2 to 4, wire-facts 3.2 and 3.3, rulings
 * 17 and 18).
 */
export async function runStages(event: JsonObject, asked: StageFlags, ports: StagePorts): Promise<StageResults[]> {
  if (!asked.user_transform) return [await afterUserCode(event, asked, ports)];
  const user = userStage(event, await ports.runCode(event));
  switch (user.status) {
    case 'failed': {
      const results = withoutRunning(asked, ABORTED_BY_USER_STAGE, ABORTED_BY_DEST_STAGE);
      return [{ user_transformed_payload: stageError(user.reason), ...results }];
    }
    case 'dropped': {
      const results = withoutRunning(asked, SKIPPED_BECAUSE_DROPPED, SKIPPED_BECAUSE_DROPPED);
      return [{ user_transformed_payload: null, ...results }];
    }
    case 'unlinked':
      return [
        { user_transformed_payload: stageError(VERSION_NOT_FOUND), ...(await afterUserCode(event, asked, ports)) },
      ];
    case 'passed':
      return inOrder(user.events, async (output) => ({
        user_transformed_payload: output,
        ...(await afterUserCode(output, asked, ports)),
      }));
  }
}

async function afterUserCode(event: JsonObject, asked: StageFlags, ports: StagePorts): Promise<StageResults> {
  if (!asked.dest_transform) return {};
  const after = await ports.transform(event);
  if (after.status === 'failed') {
    const results = withoutRunning(asked, after.reason, ABORTED_BY_DEST_STAGE);
    return { ...results, dest_transformed_payload: stageError(after.reason) };
  }
  const { payloads } = after;
  if (!isSending(asked)) return { dest_transformed_payload: payloads };
  if (ports.refusal !== undefined)
    return { dest_transformed_payload: payloads, destination_response: stageError(ports.refusal) };
  const outcomes = await inOrder(payloads, (payload) => ports.send(payload));
  return {
    dest_transformed_payload: payloads,
    destination_response: outcomes.map(({ response }) => response),
    destination_response_status: outcomes.map(({ status }) => status),
  };
}

/** Sending needs a payload from the destination transformation (ruling 18). */
const isSending = (asked: StageFlags) => asked.dest_transform && asked.send_to_destination;

/** Results of requested stages that do not run. */
const withoutRunning = (asked: StageFlags, transformReason: string, sendReason: string): StageResults => ({
  ...(asked.dest_transform && { dest_transformed_payload: stageError(transformReason) }),
  ...(isSending(asked) && { destination_response: stageError(sendReason) }),
});

async function inOrder<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
