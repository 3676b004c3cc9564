import { type Change, pathText } from '../lib/json-diff.js';
import { Text } from './text.js';

const SIGNS = { add: '+', remove: '−', replace: '~' };
const WORDS = { add: 'added', remove: 'removed', replace: 'changed' };
const TONES = { add: 'text-good', remove: 'text-bad', replace: 'text-warn' };
const VALUE_MAX = 200;

/** The changes to an event, key by key. */
export function ChangeList({ changes, left = 0 }: { changes: readonly Change[]; left?: number }) {
  if (changes.length === 0) return <p className="text-muted">Nothing changed.</p>;
  return (
    <ul className="space-y-0.5 font-mono text-[12.5px]">
      {changes.map(({ op, path, from, to }) => (
        <li key={path} className="flex gap-2 rounded px-1 hover:bg-sunken">
          <span className={`w-3 shrink-0 text-center font-semibold ${TONES[op]}`} aria-hidden>
            {SIGNS[op]}
          </span>
          <span className="sr-only">{WORDS[op]}</span>
          <span className="min-w-0 flex-1">
            <Text value={pathText(path)} max={160} className="font-medium" />{' '}
            {op !== 'add' && <Shown value={from} className="text-bad line-through decoration-bad/50" />}
            {op === 'replace' && <span className="text-muted"> → </span>}
            {op !== 'remove' && <Shown value={to} className="text-good" />}
          </span>
        </li>
      ))}
      {left > 0 && <li className="px-1 text-muted">and {left} more</li>}
    </ul>
  );
}

const Shown = ({ value, className }: { value: unknown; className: string }) =>
  value === undefined ? null : <Text value={JSON.stringify(value) ?? ''} max={VALUE_MAX} className={className} />;
