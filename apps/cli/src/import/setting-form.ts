import { isObject, type Json } from '../project/json.js';
import type { Definition } from './import.js';

/** How a format of the incumbent writes settings of destinations. */
export interface SettingForm {
  /** The name of a setting in Weir. */
  nameOf(key: string, definition: Definition): string;
  /** The name in Weir of a key inside a setting. */
  innerNameOf(key: string): string;
  /** Whether its texts refer to variables as files of Weir do. Otherwise all texts mean themselves. */
  hasReferences: boolean;
}

/** The workspace export has the names that Weir has. */
export const EXPORT_FORM: SettingForm = {
  nameOf: (key) => key,
  innerNameOf: (key) => key,
  hasReferences: false,
};

/** Project files have snake_case. */
export const PROJECT_FORM: SettingForm = {
  nameOf: (key, { settings }) => Object.keys(settings).find((one) => snake(one) === key) ?? camel(key),
  innerNameOf: camel,
  hasReferences: true,
};

function snake(key: string): string {
  return key.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
}

function camel(key: string): string {
  return key.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

/** The value with the names of all its keys. */
export function renamed(value: Json, { innerNameOf }: SettingForm): Json {
  const at = (one: Json): Json => {
    if (Array.isArray(one)) return one.map(at);
    if (!isObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [innerNameOf(key), at(inner)]));
  };
  return at(value);
}
