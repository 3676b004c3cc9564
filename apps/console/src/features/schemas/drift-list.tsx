import { Link } from '@tanstack/react-router';
import type { Schema } from '../../api/client.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { typeText } from '../../lib/type-text.js';
import { modelName } from './model-name.js';

type Notice = Schema<'DriftNotice'>;
const KEYS_SHOWN = 6;

/** Names the change, before the keys that it is about. */
const titleOf = ({ Kind, Keys }: Notice): string => {
  if (Kind === 'new_type') return 'New type of a key';
  if (Kind === 'vanished_key') return Keys.length === 1 ? 'Key no longer sent' : 'Keys no longer sent';
  if (Keys.length === 0) return 'New combination of known keys';
  return Keys.length === 1 ? 'New key' : 'New keys';
};

/** Leads to the comparison with the version before, where the change came with a version. */
const Title = ({ notice }: { notice: Notice }) =>
  notice.VersionID === undefined ? (
    titleOf(notice)
  ) : (
    <Link
      to="/schemas/$id"
      params={{ id: notice.EventID }}
      search={{ tab: 'versions', version: notice.VersionID }}
      className="hover:underline"
    >
      {titleOf(notice)}
    </Link>
  );

/** Changes of schemas on a line of time, the newest first. */
export function DriftList({ notices, doesName = false }: { notices: readonly Notice[]; doesName?: boolean }) {
  if (notices.length === 0) return <p className="px-4 py-3.5 text-muted">No changes.</p>;
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
            <span className={doesName ? 'ml-1 text-muted' : ''}>
              <Title notice={notice} />
            </span>{' '}
            <span className="font-mono text-[12.5px] text-muted">
              <Text value={notice.Keys.slice(0, KEYS_SHOWN).join(', ')} max={240} />
              {notice.Keys.length > KEYS_SHOWN && ` and ${notice.Keys.length - KEYS_SHOWN} more`}
              {notice.TypesAfter && `: ${typeText(notice.TypesBefore ?? '')} → ${typeText(notice.TypesAfter)}`}
            </span>
          </p>
          <Time at={notice.NoticedAt} className="shrink-0 text-[12.5px] text-muted" />
        </li>
      ))}
    </ol>
  );
}
