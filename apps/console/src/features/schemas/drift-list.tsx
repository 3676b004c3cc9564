import { Link } from '@tanstack/react-router';
import type { Schema } from '../../api/client.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { modelName } from './model-name.js';

type Notice = Schema<'DriftNotice'>;
const KEYS_SHOWN = 6;

/** Titles of a notice: one that follows the name of the event, and one that stands alone. */
const TITLES: Record<Notice['Kind'], readonly [behind: string, alone: string]> = {
  new_version: ['has a new version', 'A new version'],
  new_type: ['has a key with a new type', 'A key with a new type'],
  vanished_key: ['has lost a key', 'A key is gone'],
};

/** Changes of schemas on a line of time, the newest first. */
export function DriftList({ notices, doesName = false }: { notices: readonly Notice[]; doesName?: boolean }) {
  if (notices.length === 0) return <p className="px-4 py-3.5 text-muted">Nothing. Every event looks as it did.</p>;
  return (
    <ol className="divide-y">
      {notices.map((notice) => (
        <li key={notice.ID} className="flex items-baseline gap-3 px-4 py-2.5">
          <span
            className={`size-2 shrink-0 rounded-full ${notice.Kind === 'new_version' ? 'bg-accent' : 'bg-warn'}`}
            aria-hidden
          />
          <p className="min-w-0 flex-1">
            {doesName && (
              <Link to="/schemas/$id" params={{ id: notice.EventID }} className="font-medium hover:underline">
                <Text value={modelName(notice)} max={80} />
              </Link>
            )}{' '}
            {TITLES[notice.Kind][doesName ? 0 : 1]}
            {notice.TypesAfter && (
              <span className="text-muted">
                : {notice.TypesBefore} → {notice.TypesAfter}
              </span>
            )}{' '}
            <span className="font-mono text-[12.5px] text-muted">
              <Text value={notice.Keys.slice(0, KEYS_SHOWN).join(', ')} max={240} />
              {notice.Keys.length > KEYS_SHOWN && ` and ${notice.Keys.length - KEYS_SHOWN} more`}
            </span>
          </p>
          <Time at={notice.NoticedAt} className="shrink-0 text-[12.5px] text-muted" />
        </li>
      ))}
    </ol>
  );
}
