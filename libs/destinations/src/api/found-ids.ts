import { isJsonObject } from '@weir/contracts';
import { parsedJson } from './json.js';

/** The ids in `data` of a search response. Undefined if the body is no search response, which differs from an empty result. */
export function foundIds(body: Buffer): string[] | undefined {
  const answer = parsedJson(body.toString('utf8'));
  if (!isJsonObject(answer) || !Array.isArray(answer['data'])) return undefined;
  const ids = answer['data'].map((item) => (isJsonObject(item) ? item['id'] : undefined));
  return ids.every((id) => typeof id === 'string' && id !== '') ? ids.map(String) : undefined;
}
