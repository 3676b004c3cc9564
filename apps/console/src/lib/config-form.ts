import { capitalized } from './format.js';
import { isRecord } from './json.js';

/** A field of a form that is made from the JSON Schema of a destination's settings. */
export interface ConfigField {
  key: string;
  label: string;
  hint: string | undefined;
  isRequired: boolean;
  /** Its value is never shown again: `***` stands for one that is kept. */
  isSecret: boolean;
  control: Control;
}

export type Control =
  | { kind: 'text'; placeholder?: string; pattern?: string }
  | { kind: 'number' }
  | { kind: 'switch' }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'rows'; columns: readonly RowColumn[] }
  | { kind: 'json' };

export interface RowColumn {
  key: string;
  label: string;
  isSecret: boolean;
  options?: readonly string[];
}

/** Fields of a settings schema: what is required comes first, in the order of the schema. */
export function fieldsOf(schema: unknown, secretKeys: readonly string[]): ConfigField[] {
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
  const required = isRecord(schema) ? textsOf(schema['required']) : [];
  const fields = Object.entries(properties).map(([key, raw]) => {
    const property = isRecord(raw) ? raw : {};
    const isSecret = secretKeys.includes(key);
    return {
      key,
      label: labelOf(key),
      hint: typeof property['description'] === 'string' ? property['description'] : undefined,
      isRequired: required.includes(key),
      isSecret,
      control: controlOf(key, property, secretKeys),
    };
  });
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
}

function controlOf(key: string, property: Record<string, unknown>, secretKeys: readonly string[]): Control {
  // Known words are offered as choices, also where a kind takes any text.
  const options = textsOf(property['enum'] ?? property['examples']);
  if (options.length > 0) return { kind: 'choice', options };
  const types = new Set([property['type']].flat());
  if (types.has('boolean') || typeof property['const'] === 'boolean') return { kind: 'switch' };
  if (types.has('array')) return rowsOf(key, property['items'], secretKeys);
  if (types.has('object')) return { kind: 'json' };
  if ((types.has('integer') || types.has('number')) && !types.has('string')) return { kind: 'number' };
  if (types.has('string')) {
    const placeholder = isRecord(property) && typeof property['default'] === 'string' ? property['default'] : undefined;
    return { kind: 'text', ...(placeholder ? { placeholder } : {}) };
  }
  return { kind: 'json' };
}

function rowsOf(key: string, items: unknown, secretKeys: readonly string[]): Control {
  const properties = isRecord(items) && isRecord(items['properties']) ? items['properties'] : {};
  const columns = Object.entries(properties).map(([name, raw]) => {
    const options = isRecord(raw) ? textsOf(raw['enum']) : [];
    const isSecret = secretKeys.includes(`${key}.${name}`);
    return { key: name, label: labelOf(name), isSecret, ...(options.length > 0 ? { options } : {}) };
  });
  return columns.length > 0 ? { kind: 'rows', columns } : { kind: 'json' };
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** `webhookUrl` becomes "Webhook URL". */
export function labelOf(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (SHOUTED.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ');
  return capitalized(words);
}

const SHOUTED = new Set(['url', 'api', 'id', 'ip', 'sdk', 'ssl', 'tls', 'sasl', 'http', 'eu', 'us', 'json', 'pii']);

export type Config = Record<string, unknown>;

/** Settings to send: empty texts and rows are left out, because an empty text is not a setting. */
export function settingsOf(config: Config): Config {
  return Object.fromEntries(
    Object.entries(config).filter(
      ([, value]) => value !== '' && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** Settings without secrets, and without lists that hold some. */
export const withoutSecrets = (config: Config, secretKeys: readonly string[]): Config =>
  Object.fromEntries(
    Object.entries(config).filter(
      ([key]) => !secretKeys.some((secret) => secret === key || secret.startsWith(`${key}.`)),
    ),
  );
