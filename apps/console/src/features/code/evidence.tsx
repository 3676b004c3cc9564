import { CircleAlert, CircleCheck } from 'lucide-react';
import { ChangeList } from '../../components/change-list.js';
import { Text } from '../../components/text.js';
import { plural } from '../../lib/format.js';
import { diffJson } from '../../lib/json-diff.js';
import type { Report, TestedCode } from './code-tests.js';

type Difference = NonNullable<TestedCode['replay']>['differences'][number];

/** Whether the tests pass, and which sampled events the new code treats otherwise than the live one. */
export function Evidence({ report }: { report: Report }) {
  const tested = report.validationOutput.transformations[0];
  const replay = tested?.replay;
  const Icon = report.pass ? CircleCheck : CircleAlert;
  return (
    <section aria-label="Evidence" className="space-y-3">
      <p className={`flex items-start gap-2 font-medium ${report.pass ? 'text-good' : 'text-bad'}`}>
        <Icon size={16} className="mt-0.5 shrink-0" aria-hidden />
        <Text value={report.pass ? 'It passes its tests' : report.message} max={400} className="whitespace-pre-wrap" />
      </p>
      {replay && replay.liveVersionId !== null && (
        <>
          <p>
            Of <strong>{plural(replay.samples, 'sampled event')}</strong>,{' '}
            <strong className={replay.changed > 0 ? 'text-warn' : 'text-good'}>
              {replay.changed === 0 ? 'none comes' : replay.changed === 1 ? 'one comes' : `${replay.changed} come`}
            </strong>{' '}
            out otherwise than today.
          </p>
          <ul className="space-y-2">
            {replay.differences.map((difference, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: differences of one run do not move
              <li key={at} className="rounded-lg border p-3">
                <OneDifference difference={difference} />
              </li>
            ))}
          </ul>
        </>
      )}
      {replay?.liveVersionId === null && (
        <p className="text-muted">Nothing of it is live yet, so there is nothing to compare with.</p>
      )}
    </section>
  );
}

function OneDifference({ difference: { live, next } }: { difference: Difference }) {
  if (live.outcome !== next.outcome) {
    return (
      <p>
        Today {live.outcome.replace('_', ' ')}, then <strong>{next.outcome.replace('_', ' ')}</strong>
        {next.error && (
          <>
            : <Text value={next.error.message} max={300} className="text-bad" />
          </>
        )}
      </p>
    );
  }
  const { changes, left } = diffJson(live.outputs[0], next.outputs[0]);
  return <ChangeList changes={changes} left={left} />;
}
