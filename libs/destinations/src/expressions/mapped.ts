import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { parseSource } from './source.js';
import { EVERY, parseTarget, withValue } from './target.js';

/** Builds an object from a list of `{ from, to }` in a configuration. Omits values that the event lacks. */
export function mapped(event: JsonObject, config: JsonObject, key: string): JsonObject {
  let target: unknown = {};
  const take = kit.meter();
  for (const { from, to } of kit.configList(config, key)) {
    const [source, path] = [kit.toText(from) ?? '', typeof to === 'string' ? to.trim() : ''];
    if (source.trim() === '' || path === '') continue;
    const steps = parseTarget(path);
    const value = parseSource(source)(event, steps.filter((step) => step === EVERY).length);
    const isList = steps.includes(EVERY);
    if (!isList && (value === undefined || value === null)) continue;
    take(value);
    target = withValue(target, steps, value ?? []);
  }
  return target as JsonObject;
}
