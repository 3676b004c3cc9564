import { CircleAlert, CircleCheck, FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { ChangeList } from '../../components/change-list.js';
import { JsonView } from '../../components/json-view.js';
import { Empty } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Badge, type Tone } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { milliseconds, plural } from '../../lib/format.js';
import { isRecord } from '../../lib/json.js';
import { diffJson } from '../../lib/json-diff.js';
import type { TestedCode } from './code-tests.js';
import type { Result } from './saved-tests.js';

type Ran = NonNullable<Result['events']>[number];

const TONES: Record<Ran['outcome'], Tone> = { kept: 'good', fanned_out: 'accent', dropped: 'neutral', failed: 'bad' };

interface TestReportProps {
  tested: TestedCode | undefined;
  problem: string | undefined;
  isRunning: boolean;
  samples: number;
  /** The saved tests of the code. They are shown by themselves. */
  saved?: ReactNode;
  isSaved?: (result: Result) => boolean;
  /** Offered at each event, for those who may keep it as a test. */
  onKeep?: ((event: unknown) => void) | undefined;
}

/** The result of the code for each event: before and after, what it logged, what it fetched, and how long it took. */
export function TestReport({ tested, problem, isRunning, samples, saved, isSaved, onKeep }: TestReportProps) {
  if (problem) {
    return (
      <Said tone="bad">
        <Text value={problem} max={800} className="whitespace-pre-wrap" />
      </Said>
    );
  }
  if (!tested) {
    return (
      <>
        {saved}
        <Empty title={isRunning ? 'Running on the server …' : 'Not tested yet'}>
          {samples > 0
            ? `Each save runs the code on ${plural(samples, 'recent event')}.`
            : 'Until real events arrive, each save runs the code on one example of each type.'}
        </Empty>
      </>
    );
  }
  const { results } = tested.testResult;
  return (
    <div className={isRunning ? 'opacity-50' : ''}>
      <Said tone={tested.pass ? 'good' : 'bad'}>
        {tested.pass ? (
          'All tests passed'
        ) : (
          <Text value={tested.message ?? 'A test failed'} max={600} className="whitespace-pre-wrap" />
        )}
        {results[0]?.durationMs !== undefined && (
          <span className="ml-2 font-normal text-muted">{milliseconds(results[0].durationMs)}</span>
        )}
      </Said>
      {saved}
      {results.map((result, at) =>
        isSaved?.(result) ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: results of one run do not move
          <OneResult key={at} result={result} onKeep={onKeep} />
        ),
      )}
    </div>
  );
}

const Said = ({ tone, children }: { tone: 'good' | 'bad'; children: ReactNode }) => {
  const Icon = tone === 'good' ? CircleCheck : CircleAlert;
  return (
    <div
      role="status"
      className={`flex gap-2 border-b px-4 py-3 font-medium ${tone === 'good' ? 'text-good' : 'text-bad'}`}
    >
      <Icon size={16} className="mt-0.5 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
};

function OneResult({
  result: { events = [], eventsLeftOut = 0, logs = [], fetches = [] },
  onKeep,
}: {
  result: Result;
  onKeep: TestReportProps['onKeep'];
}) {
  return (
    <>
      {logs.length > 0 && (
        <Part title="Log">
          <ol className="font-mono text-[12.5px]">
            {logs.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log may be equal
              <li key={at}>
                <Text value={line} max={400} />
              </li>
            ))}
          </ol>
        </Part>
      )}
      {fetches.length > 0 && (
        <Part title="Calls">
          <ul className="font-mono text-[12.5px]">
            {fetches.map(({ method, url, status, error, milliseconds: took }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: calls may be equal
              <li key={at}>
                {method} <Text value={url} max={160} /> {status ?? error} {milliseconds(took)}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <ul>
        {events.map((ran, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events of one run do not move
          <li key={at} className="border-b last:border-b-0">
            <OneEvent ran={ran} onKeep={onKeep} />
          </li>
        ))}
      </ul>
      {eventsLeftOut > 0 && <p className="px-4 py-2 text-muted">and {plural(eventsLeftOut, 'event')} more</p>}
    </>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="border-b px-4 py-2.5">
    <h3 className="mb-1 text-[12.5px] font-medium text-muted">{title}</h3>
    {children}
  </div>
);

export const nameOf = (event: unknown): string =>
  isRecord(event)
    ? [event['type'], event['event'] ?? event['name']].filter((part) => typeof part === 'string').join(' · ')
    : 'event';

function OneEvent({
  ran: { input, outcome, outputs, error, milliseconds: took, count = 1 },
  onKeep,
}: {
  ran: Ran;
  onKeep: TestReportProps['onKeep'];
}) {
  const [output] = outputs;
  const diff = outcome === 'kept' && output !== undefined ? diffJson(input, output) : undefined;
  return (
    <details>
      <summary className="flex cursor-pointer items-center gap-2 px-4 py-2.5 transition-colors hover:bg-sunken/60">
        <Badge tone={TONES[outcome]}>{outcome.replace('_', ' ')}</Badge>
        <span className="min-w-0 flex-1 truncate font-medium">
          <Text value={nameOf(input)} max={80} />
        </span>
        {count > 1 && <span className="text-muted">×{count}</span>}
        {diff && <span className="text-[12.5px] text-muted">{plural(diff.changes.length + diff.left, 'change')}</span>}
        {took !== undefined && <span className="tnum text-[12.5px] text-muted">{milliseconds(took)}</span>}
      </summary>
      <div className="space-y-3 px-4 pb-3">
        {error && (
          <p className="rounded bg-bad-soft px-2 py-1 font-mono text-[12.5px] whitespace-pre-wrap text-bad">
            <Text value={error.message} max={600} />
          </p>
        )}
        {diff && <ChangeList changes={diff.changes} left={diff.left} />}
        {outcome === 'fanned_out' && <JsonView value={outputs} label="Output" />}
        <div className="rounded-lg border bg-bg p-3">
          <JsonView value={input} label="Input" />
        </div>
        {onKeep && outcome !== 'failed' && (
          <Button size="sm" onClick={() => onKeep(input)}>
            <FlaskConical size={13} aria-hidden /> Save as a test …
          </Button>
        )}
      </div>
    </details>
  );
}
