import { isJsonObject, type JsonObject } from '@weir/contracts';
import { isEmpty } from '../../toolkit/index.js';

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
};

/** An XML document. A key becomes an element, and a list repeats its element. */
export const toXml = (value: JsonObject, rootKey: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${element(rootKey, value)}`;

function element(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => element(name, indexed(item))).join('');
  const tag = elementName(name);
  return isEmpty(value) ? `<${tag}/>` : `<${tag}>${content(value)}</${tag}>`;
}

/** The elements of a list within a list are named by their place. */
const indexed = (item: unknown): unknown => (Array.isArray(item) ? Object.assign({}, item) : item);

const content = (value: unknown): string =>
  isJsonObject(value)
    ? Object.entries(value)
        .map(([key, inner]) => element(key, inner))
        .join('')
    : String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** `_` replaces what receivers may not read in a name, and a first character that is not a letter. */
const elementName = (key: string): string => key.replace(/[^A-Za-z0-9_.-]/g, '_').replace(/^[^A-Za-z_]/, '_') || '_';
