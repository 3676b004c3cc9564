import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { transformationsQuery } from '../../api/code.js';
import { destinationsQuery } from '../../api/inventory.js';
import { useCan } from '../../api/session.js';
import { ChangeList } from '../../components/change-list.js';
import { NameLink } from '../../components/name-link.js';
import { Text } from '../../components/text.js';
import { Badge } from '../../components/ui/badge.js';
import { count, plural } from '../../lib/format.js';
import { diffJson } from '../../lib/json-diff.js';
import type { Report, TestedCode } from './code-tests.js';
import { nameOf } from './test-report.js';

type Replay = NonNullable<TestedCode['replay']>;
type Difference = Replay['differences'][number];

interface EvidenceProps {
  report: Report;
  /** Whether each piece of code is named: one publish of a library changes several. */
  isNamed?: boolean;
}

/** Whether the tests pass, and for each code which sampled events change, and on which destinations. */
export function Evidence({ report, isNamed = false }: EvidenceProps) {
  const Icon = report.pass ? CircleCheck : CircleAlert;
  return (
    <section aria-label="Evidence" className="space-y-3">
      <p className={`flex items-start gap-2 font-medium ${report.pass ? 'text-good' : 'text-bad'}`}>
        <Icon size={16} className="mt-0.5 shrink-0" aria-hidden />
        <Text value={report.pass ? 'Passes all tests' : report.message} max={400} className="whitespace-pre-wrap" />
      </p>
      {report.validationOutput.transformations.map((tested) => (
        <OneCode key={tested.id} tested={tested} isNamed={isNamed} />
      ))}
    </section>
  );
}

function OneCode({ tested: { id, name, pass, message, replay }, isNamed }: { tested: TestedCode; isNamed: boolean }) {
  const code = useQuery(transformationsQuery).data ?? [];
  const destinations = useQuery({ ...destinationsQuery, enabled: useCan('inventory', 'read') }).data ?? [];
  const linked = code.find((one) => one.id === id)?.destinations ?? [];
  const names = linked.map((one) => destinations.find((other) => other.id === one)?.name ?? one);
  return (
    <div className={isNamed ? 'space-y-2 rounded-lg border p-3' : 'space-y-3'}>
      {isNamed && (
        <h3 className="flex items-center gap-2">
          <NameLink to="/code/$id" params={{ id }} name={name} />
          <Badge tone={pass ? 'good' : 'bad'}>{pass ? 'passes' : 'fails'}</Badge>
        </h3>
      )}
      {isNamed && message && (
        <p className="text-bad">
          <Text value={message} max={400} className="whitespace-pre-wrap" />
        </p>
      )}
      {replay && replay.liveVersionId !== null && <Changed replay={replay} names={names} />}
      {replay?.liveVersionId === null && (
        <p className="text-muted">No live revision yet, so there is nothing to compare.</p>
      )}
    </div>
  );
}

function Changed({ replay, names }: { replay: Replay; names: readonly string[] }) {
  const { changed, samples, differences, differencesLeftOut = 0 } = replay;
  if (samples === 0) return <p className="text-muted">No sampled events to compare yet.</p>;
  return (
    <>
      <p>
        <strong className={changed > 0 ? 'text-warn' : 'text-good'}>{changed === 0 ? 'None' : count(changed)}</strong>{' '}
        of <strong>{plural(samples, 'sampled event')}</strong> {changed === 1 ? 'changes' : 'change'}
        {names.length > 0 && (
          <>
            {' at '}
            <Text value={names.join(', ')} max={160} className="font-medium" />
          </>
        )}
        .
      </p>
      <ul className="space-y-2">
        {differences.map((difference, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: differences of one run do not move
          <li key={at} className="rounded-lg border bg-bg p-3">
            <h3 className="mb-1 text-[12.5px] font-medium text-muted">
              <Text value={nameOf(difference.input)} max={80} />
            </h3>
            <OneDifference difference={difference} />
          </li>
        ))}
      </ul>
      {differencesLeftOut > 0 && <p className="text-muted">and {differencesLeftOut} more</p>}
    </>
  );
}

function OneDifference({ difference: { live, next } }: { difference: Difference }) {
  if (live.outcome !== next.outcome) {
    return (
      <p>
        Now {live.outcome.replace('_', ' ')}, then <strong>{next.outcome.replace('_', ' ')}</strong>
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
