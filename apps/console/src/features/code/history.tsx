import type { LibraryRevision, Revision } from '../../api/code.js';
import { CodeDiff } from '../../components/editor/index.js';
import { Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { VersionName } from './version-name.js';

interface HistoryProps {
  /** Newest first. */
  revisions: readonly (Revision | LibraryRevision)[];
  /** The live one, also if it is older than all of these. */
  liveId: string | undefined;
  /** Asks for older ones, if there may be some. */
  onMore: (() => void) | undefined;
  chosenId: string;
  onChoose: (versionId: string) => void;
  /** Makes another revision live, for those who may. `opens` says that it opens a dialog first. */
  back?: { opens: boolean; isPending: boolean; run: (versionId: string) => void } | undefined;
}

/** Every revision with who and why, what it changed, and the way back. */
export function History({ revisions, liveId, onMore, chosenId, onChoose, back }: HistoryProps) {
  const at = Math.max(
    revisions.findIndex(({ versionId }) => versionId === chosenId),
    0,
  );
  const [chosen, before] = [revisions[at], revisions[at + 1]];
  const liveAt = revisions.findIndex(({ versionId }) => versionId === liveId);
  const isEarlier = liveAt !== -1 && at > liveAt;
  const isFirst = chosen !== undefined && before === undefined && onMore === undefined;
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <Panel title="Revisions" flush>
        <ol className="max-h-[64vh] overflow-y-auto">
          {revisions.map((one) => (
            <li key={one.versionId} className="border-b last:border-b-0">
              <button
                type="button"
                aria-pressed={one.versionId === chosen?.versionId}
                onClick={() => onChoose(one.versionId)}
                className="w-full px-4 py-2.5 text-left transition-colors hover:bg-sunken/60 aria-pressed:bg-accent-soft"
              >
                <span className="flex items-center gap-2">
                  <Time at={one.createdAt} className="font-medium" />
                  <VersionName id={one.versionId} />
                  {one.isPublished && <Badge tone="good">live</Badge>}
                  {'rolledBack' in one && one.rolledBack && <Badge tone="bad">rolled back</Badge>}
                </span>
                <span className="block truncate text-[12.5px] text-muted">
                  <Text value={one.createdBy ?? 'unknown'} max={80} />
                </span>
                {one.commitId && (
                  <span className="line-clamp-2 text-[12.5px]">
                    <Text value={one.commitId} max={120} />
                  </span>
                )}
              </button>
            </li>
          ))}
          {onMore && (
            <li className="p-2 text-center">
              <Button size="sm" onClick={onMore}>
                Show older
              </Button>
            </li>
          )}
        </ol>
      </Panel>
      {chosen && (
        <Panel
          title={isFirst ? 'First revision' : 'Changes in this revision'}
          actions={
            back &&
            !chosen.isPublished && (
              <Button size="sm" disabled={back.isPending} onClick={() => back.run(chosen.versionId)}>
                {isEarlier ? 'Roll back to this' : 'Make this live'}
                {back.opens && ' …'}
              </Button>
            )
          }
        >
          {!before && !isFirst && (
            <p className="mb-2 text-muted">Show older revisions to compare it with the one before.</p>
          )}
          <CodeDiff key={chosen.versionId} before={before?.code} after={chosen.code} labels={['Before', 'After']} />
        </Panel>
      )}
    </div>
  );
}
