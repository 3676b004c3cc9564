import { isJsonObject, type JsonObject } from '@weir/contracts';
import { isTaken, sendPayload } from '../../delivery/send-payload.js';
import type { DeliveryResult, DestinationKind, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { columnValues, entriesOf } from './monday.columns.js';

const BOARD = 'query ($board: [ID!]) { boards (ids: $board) { columns { id title type } groups { id title } } }';

/** Codes and messages of errors that pass: https://developer.monday.com/api-reference/docs/errors */
const PASSING = /complexity|concurrency|rate.?limit|limit.?exceeded|internal.?server|timeout|locked|temporarily/i;
/** Only the beginning of a message is searched. In characters. */
const MESSAGE_LENGTH_MAX = 200;
/** The board or the item is in use. Deliveries retry 429, but not this. */
const LOCKED = 423;
const TRY_AGAIN = 429;

/**
 * Fills in the ids of columns and of the group, which only the board knows. The parameters of the payload name them by title, and
 * are not sent.
 */
export const mondayDeliver: NonNullable<DestinationKind['deliver']> = async (payload, _, outbound, options) => {
  const ask = async (body: JsonObject): Promise<DeliveryResult> =>
    withErrors(await sendPayload({ ...payload, params: {}, body: { ...payload.body, JSON: body } }, outbound, options));
  if (kit.isEmpty(payload.params)) return ask(payload.body.JSON);
  const found = await ask({ query: BOARD, variables: { board: [boardOf(payload)] } });
  return isTaken(found) ? create(payload, kit.valueAt(found.response, 'data.boards.0'), ask) : found;
};

const boardOf = ({ body }: Payload) => kit.valueAt(body.JSON, 'variables.board');

type Ask = (body: JsonObject) => Promise<DeliveryResult>;

async function create({ params, body }: Payload, board: unknown, ask: Ask): Promise<DeliveryResult> {
  if (!isJsonObject(board)) return refusal('The board was not found');
  const { values, missing } = columnValues(board, kit.objectAt(params, 'columns'), kit.objectAt(params, 'properties'));
  if (missing !== undefined) return refusal(`The board has no column "${missing}" that can be filled`);
  const title = kit.textAt(params, 'group');
  const group = entriesOf(board, 'groups').find((entry) => entry.title === title)?.id;
  if (title !== undefined && group === undefined) return refusal(`The board has no group "${title}"`);
  const variables = { ...kit.objectAt(body.JSON, 'variables'), columns: JSON.stringify(values) };
  return ask({ ...body.JSON, variables: kit.compact({ ...variables, group }) });
}

const refusal = (response: string): DeliveryResult => ({ status: 400, response });

/** The API answers 200 with errors. Those that pass are tried again. */
function withErrors(result: DeliveryResult): DeliveryResult {
  const { response, status } = result;
  if (status === LOCKED) return { ...result, status: TRY_AGAIN };
  if (!isTaken(result) || !isJsonObject(response)) return result;
  const errors = kit.onlyArray(response['errors']) ?? [];
  if (errors.length === 0 && kit.textAt(response, ['error_code', 'error_message']) === undefined) return result;
  return { ...result, status: [response, ...errors].some(passes) ? TRY_AGAIN : 400 };
}

/** An error is a text or an object. That of older versions is the answer itself. */
function passes(error: unknown): boolean {
  const words = [
    error,
    ...['error_code', 'error_message', 'extensions.code', 'message'].map((at) => kit.valueAt(error, at)),
  ];
  const isPassing = (word: unknown) => typeof word === 'string' && PASSING.test(word.slice(0, MESSAGE_LENGTH_MAX));
  const statuses = ['status_code', 'extensions.status_code'].map((at) => Number(kit.valueAt(error, at)));
  return words.some(isPassing) || statuses.some((status) => status === LOCKED || status === TRY_AGAIN || status >= 500);
}
