import { isJsonObject, type JsonObject } from '@weir/contracts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Converts an object to an XML document. A key becomes an element, and a list repeats its element. */
export const toXml = (value: JsonObject, rootKey: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${element(rootKey, value)}`;

function element(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => element(name, item)).join('');
  const tag = elementName(name);
  return `<${tag}>${content(value)}</${tag}>`;
}

const content = (value: unknown): string =>
  isJsonObject(value)
    ? Object.entries(value)
        .map(([key, inner]) => element(key, inner))
        .join('')
    : String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** Replaces characters that XML does not allow in a name with `_`. */
function elementName(key: string): string {
  const name = key.replace(/[^\p{L}\p{N}_.-]/gu, '_');
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}
