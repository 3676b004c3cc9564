import { isJsonObject, type JsonObject } from '@weir/contracts';

const PLACEHOLDER = /\{\{\{?\s*([^{}]+?)\s*\}?\}\}/g;

/** Fills `{{path.to.value}}`; `{{newline}}` starts a line, what is not there is empty. No code, no helpers. */
export function fillTemplate(template: string, values: JsonObject): string {
  return template.replace(PLACEHOLDER, (_, path: string) =>
    path === 'newline' ? '\n' : asText(valueAt(values, path)),
  );
}

/** Own keys only: a template is no way into prototypes. */
function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, key) => {
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, values);
}

/** What to call the user of an event. */
export function displayName(event: JsonObject, traits: JsonObject): string {
  const fullName = [traits['firstName'], traits['lastName']].filter(Boolean).join(' ');
  const name = traits['name'] || fullName || traits['username'] || traits['email'];
  if (name) return asText(name);
  return event['userId'] ? `User ${asText(event['userId'])}` : `Anonymous user ${asText(event['anonymousId'])}`;
}

/** `trait: value ` for each of the traits that may be shown. */
export function traitsText(traits: JsonObject, shown: string[]): string {
  const entries = Object.entries(traits).filter(([key]) => shown.length === 0 || shown.includes(key));
  const order = ([key]: [string, unknown]) => shown.indexOf(key);
  const sorted = entries.sort((a, b) => order(a) - order(b));
  return sorted.map(([key, value]) => `${key}: ${asText(value)} `).join('');
}

export function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
