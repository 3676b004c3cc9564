import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { answer, api, sentenceOf } from '../../api/client.js';
import { Panel } from '../../components/panel.js';
import { Progress } from '../../components/progress.js';
import { Text } from '../../components/text.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { Field, Select, Textarea } from '../../components/ui/field.js';
import { useAsked } from '../../components/use-asked.js';
import { count, exact, plural } from '../../lib/format.js';
import { useIsHere } from '../../lib/is-here.js';
import { useKept } from '../../lib/kept.js';
import { newId } from '../../lib/new-id.js';
import { type Problem, type Users, usersOf } from '../../lib/users.js';
import { batchesOf, bodyOf, planOf, type Type } from './batches.js';
import { CsvFile } from './csv-file.js';
import { Effect } from './effect.js';

const nothing = () => ({ type: 'suppress' as Type, text: '', run: newId() });

/** Suppresses users, and deletes what destinations hold if wanted. First comes a dry run that says what it would do. */
export function NewRegulation() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [typed, setTyped, forget] = useKept('new regulation', nothing());
  const { type, text, run } = typed;
  const found = useMemo(() => usersOf(text), [text]);
  const { users, doubled, problems } = found;
  const [checked, setChecked] = useState(0);
  /** Users whose regulation is made. Undefined before the first is sent. */
  const [made, setMade] = useState<number>();
  const plan = useMutation({ mutationFn: () => planOf(type, users, setChecked), onMutate: () => setChecked(0) });
  const order = useAsked({
    question: () =>
      type === 'suppress_with_delete'
        ? {
            title: `Suppress and delete ${plural(users.length, 'user')}?`,
            text: <Named found={found}>Data deleted at destinations cannot be restored.</Named>,
            action: 'Delete',
            typed: 'delete',
          }
        : {
            title: `Suppress ${plural(users.length, 'user')}?`,
            text: (
              <Named found={found}>
                Their events are dropped from now on. You can cancel the regulation later. Dropped events cannot be
                restored.
              </Named>
            ),
            action: 'Suppress',
          },
    send: async () => {
      let sent = 0;
      setMade(sent);
      for (const [at, some] of batchesOf(users).entries()) {
        // A batch from an earlier attempt gets the same answer again and creates nothing.
        const params = { query: { dryRun: false }, header: { 'Idempotency-Key': `${run}-${at}` } };
        await answer(api.POST('/v2/regulations', { params, body: bodyOf(type, some) }));
        sent += some.length;
        setMade(sent);
      }
    },
    done: async () => {
      tellDone(`Done. Events of ${plural(users.length, 'user')} no longer pass.`);
      forget();
      await client.invalidateQueries({ queryKey: ['regulations'] });
      if (isHere()) void navigate({ to: '/privacy' });
    },
    refused: () => undefined,
  });
  const change = (next: Partial<typeof typed>) => {
    plan.reset();
    setMade(undefined);
    setTyped({ ...typed, ...next, run: newId() });
  };
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel title="New regulation">
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            plan.mutate();
          }}
        >
          <Field label="Action">
            {(control) => (
              <Select
                {...control}
                disabled={order.isPending}
                value={type}
                onChange={({ target }) => change({ type: target.value as Type })}
              >
                <option value="suppress">Suppress: stop their events at once</option>
                <option value="suppress_with_delete">
                  Suppress and delete: also delete their data at destinations
                </option>
              </Select>
            )}
          </Field>
          <Field
            label="User IDs"
            hint={`One per line, or a column of a CSV file. ${plural(users.length, 'user')}${doubled > 0 ? `, ${plural(doubled, 'duplicate')}` : ''}.`}
            error={plan.isError ? sentenceOf(plan.error) : undefined}
          >
            {(control) => (
              <Textarea
                {...control}
                rows={8}
                required
                disabled={order.isPending}
                value={text}
                onChange={({ target }) => change({ text: target.value })}
              />
            )}
          </Field>
          {problems.length > 0 && <LeftOut problems={problems} />}
          <div className="flex flex-wrap gap-2">
            <Button look="primary" type="submit" disabled={users.length === 0 || plan.isPending || order.isPending}>
              Preview effect
            </Button>
            <CsvFile disabled={order.isPending} onRead={(read) => change({ text: read })} />
          </div>
        </form>
      </Panel>
      <Panel title="Effect">
        {plan.data ? (
          <Effect plan={plan.data}>
            {order.error && (
              <p role="alert" className="text-bad">
                {sentenceOf(order.error)}
                {made ? ` ${count(made)} of ${plural(users.length, 'user')} are done. Try again to continue.` : ''}
              </p>
            )}
            {order.isPending && made !== undefined ? (
              <Progress label="Suppressed" done={made} of={users.length}>
                {`${count(made)} of ${plural(users.length, 'user')}`}
              </Progress>
            ) : (
              <Button look="danger" disabled={!plan.data.covered || order.isPending} onClick={() => order.ask()}>
                {type === 'suppress' ? 'Suppress' : 'Suppress and delete'} …
              </Button>
            )}
          </Effect>
        ) : plan.isPending ? (
          <Progress label="Checked" done={checked} of={users.length}>
            {`${count(checked)} of ${plural(users.length, 'user')} checked`}
          </Progress>
        ) : (
          <p className="text-muted">Preview first. Nothing happens until you confirm.</p>
        )}
      </Panel>
    </div>
  );
}

/** Enough to see that these are ids of users, and not numbers of rows. */
const NAMED = 3;

/** The first of those whom it is about, and where they stand in the file. */
const Named = ({ found: { users, column }, children }: { found: Users; children: ReactNode }) => (
  <div className="space-y-2">
    <p>
      {column !== undefined && (
        <>
          From the column <Text value={column} max={60} />:{' '}
        </>
      )}
      {users.slice(0, NAMED).map((id, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <strong>
            <Text value={id} max={80} />
          </strong>
        </Fragment>
      ))}
      {users.length > NAMED && ` and ${exact(users.length - NAMED)} more`}.
    </p>
    <p>{children}</p>
  </div>
);

const SHOWN = 5;

const LeftOut = ({ problems }: { problems: readonly Problem[] }) => (
  <div role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-warn">
    <p className="font-medium">{plural(problems.length, 'line')} skipped:</p>
    <ul className="list-inside list-disc">
      {problems.slice(0, SHOWN).map(({ line, why }) => (
        <li key={line}>
          line {count(line)}: {why}
        </li>
      ))}
    </ul>
    {problems.length > SHOWN && <p>and {count(problems.length - SHOWN)} more</p>}
  </div>
);
