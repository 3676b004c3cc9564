import { useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import type { Revision } from '../../api/code.js';
import { useCan } from '../../api/session.js';
import { CodeDiff } from '../../components/editor/index.js';
import { Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { useAsked } from '../../components/use-asked.js';
import { VersionName } from './version-name.js';

interface HistoryProps {
  id: string;
  revisions: readonly Revision[];
  live: Revision | undefined;
  chosenId: string;
  onChoose: (versionId: string) => void;
}

/** Every revision with who and why, what it changed, and the way back. */
export function History({ id, revisions, live, chosenId, onChoose }: HistoryProps) {
  const client = useQueryClient();
  const canWrite = useCan('transformations', 'write');
  const at = revisions.findIndex(({ versionId }) => versionId === chosenId);
  const [chosen, before] = [revisions[at], revisions[at + 1]];
  const back = useAsked({
    question: (_: string) => ({
      title: 'Make this revision live?',
      text: 'It has to pass its tests first. The revision that is live now stays in this list.',
      action: 'Make it live',
      keep: 'Cancel',
    }),
    send: (versionId) =>
      answer(api.POST('/transformations/{id}/rollback', { params: { path: { id } }, body: { versionId } })),
    done: () => {
      tellDone('The earlier revision is live again.');
      void client.invalidateQueries();
    },
  });
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <Panel title="Revisions" flush>
        <ol className="max-h-[64vh] overflow-y-auto">
          {revisions.map((one) => (
            <li key={one.versionId} className="border-b last:border-b-0">
              <button
                type="button"
                aria-pressed={one.versionId === chosenId}
                onClick={() => onChoose(one.versionId)}
                className="w-full px-4 py-2.5 text-left transition-colors hover:bg-sunken/60 aria-pressed:bg-accent-soft"
              >
                <span className="flex items-center gap-2">
                  <Time at={one.createdAt} className="font-medium" />
                  <VersionName id={one.versionId} />
                  {one.isPublished && <Badge tone="good">live</Badge>}
                  {one.rolledBack && <Badge tone="bad">rolled back</Badge>}
                </span>
                <span className="block truncate text-[12.5px] text-muted">
                  <Text value={one.createdBy ?? 'unknown'} max={80} />
                  {one.commitId && (
                    <>
                      {' · '}
                      <Text value={one.commitId} max={120} />
                    </>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ol>
      </Panel>
      {chosen && (
        <Panel
          title={before ? 'What it changed' : 'The first revision'}
          actions={
            canWrite &&
            live &&
            !chosen.isPublished && (
              <Button size="sm" disabled={back.isPending} onClick={() => back.ask(chosen.versionId)}>
                Make this live
              </Button>
            )
          }
        >
          <CodeDiff key={chosen.versionId} before={before?.code} after={chosen.code} labels={['Before', 'After']} />
        </Panel>
      )}
    </div>
  );
}
