import { differences } from '../project/compare.js';
import { isObject, type Json, type JsonObject } from '../project/json.js';
import { MASK } from '../project/resources.js';
import type { Compared, Made, Sample } from './incumbent.js';

/** The keys of a request that count. The others are bookkeeping of the incumbent. */
const PARTS = ['version', 'type', 'method', 'endpoint', 'headers', 'params', 'body', 'files'];
/** Fields of a destination in the result. More would not be read. */
const FIELDS_MAX = 200;
const VALUE_CHARS_MAX = 500;
/** Headers of these names hold credentials, if in another form than the settings. */
const SECRET_HEADER = /auth|key|token|secret|cookie/i;

/** Events that differ in one field, with one of them. `*` stands for any place in a list. */
export interface Field {
  path: string;
  events: number;
  example: { messageId: string; theirs: string; ours: string };
}

export interface Verdict {
  destination: string;
  type: string;
  equal: number;
  different: number;
  /** Events that the incumbent did not answer. */
  missing: number;
  problem?: string;
  fields: Field[];
}

/** Collects the events of one destination. */
export class Comparison {
  private readonly fields = new Map<string, Field>();
  private readonly counts = { equal: 0, different: 0, missing: 0 };

  /** @param secrets texts that no result may show */
  constructor(
    private readonly destination: Compared,
    private readonly secrets: readonly string[],
  ) {}

  add({ messageId }: Sample, mine: Made | undefined, theirs: Made | undefined): void {
    if (!theirs) {
      this.counts.missing++;
      return;
    }
    const changes = changesOf(mine ?? { error: 'no answer' }, theirs);
    if (changes.length === 0) this.counts.equal++;
    else this.counts.different++;
    for (const path of new Set(changes.map(({ path: one }) => withStars(one)))) {
      const change = changes.find(({ path: one }) => withStars(one) === path);
      if (change) this.note(path, messageId, change);
    }
  }

  verdict(problem: string | undefined): Verdict {
    const { name, type } = this.destination;
    const fields = [...this.fields.values()].sort((a, b) => b.events - a.events);
    return { destination: name, type, ...this.counts, ...(problem !== undefined && { problem }), fields };
  }

  private note(path: string, messageId: string, { theirs, ours }: Difference): void {
    const known = this.fields.get(path);
    if (known) known.events++;
    else if (this.fields.size < FIELDS_MAX) {
      const example = { messageId, theirs: this.shown(path, theirs), ours: this.shown(path, ours) };
      this.fields.set(path, { path, events: 1, example });
    }
  }

  private shown(path: string, value: Json | undefined): string {
    if (value === undefined) return '(absent)';
    if (path.split('.')[1] === 'headers' && SECRET_HEADER.test(path)) return MASK;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const safe = this.secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), text);
    return safe.length > VALUE_CHARS_MAX ? `${safe.slice(0, VALUE_CHARS_MAX)}…` : safe;
  }
}

interface Difference {
  path: string;
  theirs: Json | undefined;
  ours: Json | undefined;
}

/** Both refuse the event. That counts as equal, even if the error texts differ. */
function changesOf(mine: Made, theirs: Made): Difference[] {
  if ('error' in mine && 'error' in theirs) return [];
  if ('error' in mine || 'error' in theirs)
    return [{ path: '(outcome)', theirs: outcomeOf(theirs), ours: outcomeOf(mine) }];
  const { changes } = differences(mine.payloads.map(partsOf), theirs.payloads.map(partsOf), { secrets: {} });
  return changes.flatMap((change) =>
    'secret' in change ? [] : [{ path: change.path, theirs: change.from, ours: change.to }],
  );
}

const outcomeOf = (made: Made): string =>
  'error' in made ? `refused: ${made.error}` : `${made.payloads.length} requests`;

const partsOf = (payload: Json): Json =>
  isObject(payload)
    ? (Object.fromEntries(
        PARTS.flatMap((key) => (Object.hasOwn(payload, key) ? [[key, payload[key]]] : [])),
      ) as JsonObject)
    : payload;

const withStars = (path: string): string =>
  path
    .split('.')
    .map((key) => (/^\d+$/.test(key) ? '*' : key))
    .join('.');

/** Texts of a configuration at these dotted paths. Short ones stay: they would hide everything. */
export function secretTexts(config: JsonObject, secretKeys: readonly string[]): string[] {
  const found: string[] = [];
  const visit = (value: Json, path: string): void => {
    if (typeof value === 'string' && value.length >= 4 && secretKeys.includes(path)) found.push(value);
    else if (Array.isArray(value)) for (const one of value) visit(one, path);
    else if (isObject(value))
      for (const [key, one] of Object.entries(value)) visit(one, path === '' ? key : `${path}.${key}`);
  };
  visit(config, '');
  return found;
}
