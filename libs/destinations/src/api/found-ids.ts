import { isJsonObject } from '@weir/contracts';
import { parsedJson } from './json.js';

/** The ids in `data` of a search's answer; undefined when it is no such answer, which is not the same as none. */
export function foundIds(body: Buffer): string[] | undefined {
  const answer = parsedJson(body.toString('utf8'));
  if (!isJsonObject(answer) || !Array.isArray(answer['data'])) return undefined;
  const ids = answer['data'].map((item) => (isJsonObject(item) ? item['id'] : undefined));
  return ids.every((id) => typeof id === 'string' && id !== '') ? ids.map(String) : undefined;
}
