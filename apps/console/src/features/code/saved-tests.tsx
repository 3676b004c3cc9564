import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { changeTests, type SavedTest, savedTestsQuery } from '../../api/code.js';
import { useCan } from '../../api/session.js';
import { ChangeList } from '../../components/change-list.js';
import { JsonView } from '../../components/json-view.js';
import { Text } from '../../components/text.js';
import { tellError, tellUndo } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { plural } from '../../lib/format.js';
import { diffJson } from '../../lib/json-diff.js';
import type { TestedCode } from './code-tests.js';

export type Result = TestedCode['testResult']['results'][number];

interface SavedTestsProps {
  id: string;
  results: readonly Result[];
  onChange: () => void;
}

/** Tests that stay with the code: whether each holds, which result changed, and the way to expect the new one. */
export function SavedTests({ id, results, onChange }: SavedTestsProps) {
  const client = useQueryClient();
  const tests = useQuery(savedTestsQuery(id)).data ?? [];
  const change = useMutation({
    mutationFn: (next: (tests: SavedTest[]) => SavedTest[]) => changeTests(id, next),
    onError: tellError,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['saved tests', id] });
      onChange();
    },
  });
  if (tests.length === 0) return null;
  const put = (test: SavedTest) => (saved: SavedTest[]) => [...saved.filter((one) => !isOf(one, test)), test];
  const replace = (test: SavedTest) => (saved: SavedTest[]) => saved.map((one) => (isOf(one, test) ? test : one));
  const tell = (told: string, undo: (saved: SavedTest[]) => SavedTest[]) => ({
    onSuccess: () => tellUndo(told, () => change.mutate(undo)),
  });
  return (
    <section aria-label="Saved tests" className="border-b">
      <h3 className="px-4 pt-2.5 pb-1 text-[12.5px] font-medium text-muted">{plural(tests.length, 'saved test')}</h3>
      <ul>
        {tests.map((test) => (
          <OneTest
            key={test.id ?? test.name}
            test={test}
            result={results.find((one) => one.id !== undefined && one.id === test.id)}
            isBusy={change.isPending}
            onExpect={(expectedOutput) =>
              change.mutate(replace({ ...test, expectedOutput }), tell('Expected result updated.', replace(test)))
            }
            onRemove={() =>
              change.mutate((saved) => saved.filter((one) => !isOf(one, test)), tell('Test deleted.', put(test)))
            }
          />
        ))}
      </ul>
    </section>
  );
}

/** The same test, whatever it expects by now. The API gives each an id. */
const isOf = (one: SavedTest, other: SavedTest): boolean =>
  one.id === undefined || other.id === undefined ? one.name === other.name : one.id === other.id;

interface OneTestProps {
  test: SavedTest;
  result: Result | undefined;
  isBusy: boolean;
  onExpect: (output: unknown[]) => void;
  onRemove: () => void;
}

const TONES = { pass: 'good', fail: 'bad', error: 'bad' } as const;
const WORDS = { pass: 'passes', fail: 'differs', error: 'fails' };

function OneTest({ test, result, isBusy, onExpect, onRemove }: OneTestProps) {
  const canWrite = useCan('transformations', 'write');
  const name = test.name ?? 'Test';
  const diff = result?.status === 'fail' ? diffJson(test.expectedOutput, result.actualOutput) : undefined;
  return (
    <li>
      <details open={result?.status === 'fail' || result?.status === 'error'}>
        <summary className="flex cursor-pointer items-center gap-2 px-4 py-2 transition-colors hover:bg-sunken/60">
          <Badge tone={result ? TONES[result.status] : 'neutral'}>{result ? WORDS[result.status] : 'not run'}</Badge>
          <span className="min-w-0 flex-1 truncate font-medium">
            <Text value={name} max={80} />
          </span>
        </summary>
        <div className="space-y-3 px-4 pb-3">
          {result?.errors[0] && !diff && (
            <p className="rounded bg-bad-soft px-2 py-1 font-mono text-[12.5px] whitespace-pre-wrap text-bad">
              <Text value={result.errors[0].message} max={600} />
            </p>
          )}
          {diff && (
            <>
              <p className="text-[12.5px] text-muted">Difference between expected and actual:</p>
              <ChangeList changes={diff.changes} left={diff.left} />
            </>
          )}
          <div className="rounded-lg border bg-bg p-3">
            <JsonView value={test.input.length === 1 ? test.input[0] : test.input} label={`Event of ${name}`} />
          </div>
          {canWrite && (
            <div className="flex gap-2">
              {diff && (
                <Button size="sm" disabled={isBusy} onClick={() => onExpect(result?.actualOutput ?? [])}>
                  Expect this result
                </Button>
              )}
              <Button look="quiet" size="sm" disabled={isBusy} onClick={onRemove} aria-label={`Delete test ${name}`}>
                <Trash2 size={13} aria-hidden /> Delete
              </Button>
            </div>
          )}
        </div>
      </details>
    </li>
  );
}
