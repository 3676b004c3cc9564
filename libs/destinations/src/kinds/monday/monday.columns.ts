import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Makes the value of a column of a mapped property. The properties of the event may complete it. */
type Column = (value: string, properties: JsonObject) => unknown;

const withTextOf =
  (key: string, other: string): Column =>
  (value, properties) =>
    kit.compact({ [key]: value, text: kit.textAt(properties, other) });

const status: Column = (label) => ({ label });
const checkbox: Column = (value) => (kit.toBoolean(value) === false ? undefined : { checked: true });
const plain: Column = (value) => value;
const longText: Column = (text) => ({ text });
const worldClock: Column = (timezone) => ({ timezone });

/**
 * Columns that a new item may fill, by the type of the board, which older and newer versions of the API name differently.
 * https://developer.monday.com/api-reference/docs/change-column-values
 */
const COLUMNS: Readonly<Record<string, Column>> = {
  ...{ color: status, status, text: plain, numeric: plain, numbers: plain },
  ...{ boolean: checkbox, checkbox, 'long-text': longText, long_text: longText },
  ...{ timezone: worldClock, world_clock: worldClock },
  ...{ email: withTextOf('email', 'emailText'), link: withTextOf('url', 'linkText') },
  rating: (value) => kit.leadingInteger(value),
  country: (value, properties) =>
    kit.compact({ countryName: value, countryCode: kit.textAt(properties, 'countryCode') }),
  phone: (value, properties) =>
    kit.compact({ phone: value, countryShortName: kit.textAt(properties, 'countryShortName') }),
  location: (value, properties) =>
    kit.compact({
      ...{ address: value, lat: kit.textAt(properties, 'latitude'), lng: kit.textAt(properties, 'longitude') },
    }),
};
/** Properties that complete the value of a column. */
export const COMPLETING = ['emailText', 'linkText', 'countryCode', 'countryShortName', 'latitude', 'longitude'];

interface Entry {
  id: string;
  title: string;
  type: string;
}

/** The columns or groups of a board, as it lists them. */
export function entriesOf(board: unknown, key: 'columns' | 'groups'): Entry[] {
  const list = kit.onlyArray(kit.valueAt(board, key)) ?? [];
  return list.filter(isJsonObject).map(({ id, title, type }) => ({
    ...{ id: String(id), title: String(title), type: String(type) },
  }));
}

/** The values of columns by their ids, or the title of a column that the board lacks. */
export function columnValues(
  board: unknown,
  wanted: JsonObject,
  properties: JsonObject,
): { values: JsonObject; missing?: string } {
  const usable = entriesOf(board, 'columns').filter(({ type }) => Object.hasOwn(COLUMNS, type));
  const byTitle = new Map(usable.map((column) => [column.title, column]));
  const missing = Object.keys(wanted).find((title) => !byTitle.has(title));
  if (missing !== undefined) return { values: {}, missing };
  const values = [...byTitle]
    .filter(([title]) => Object.hasOwn(wanted, title))
    .map(([title, { id, type }]): [string, unknown] => [id, COLUMNS[type]?.(String(wanted[title]), properties)]);
  return { values: kit.compact(kit.objectOf(values)) };
}
