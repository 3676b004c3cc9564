import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { answer, api, type Schema, sentenceOf } from '../../api/client.js';
import { confirm } from '../../components/confirm.js';
import { Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button, buttonClass } from '../../components/ui/button.js';
import { Field, Select, Textarea } from '../../components/ui/field.js';
import { cn } from '../../lib/cn.js';
import { plural } from '../../lib/format.js';
import { useKept } from '../../lib/kept.js';
import { usersOf } from '../../lib/users.js';

type Type = Schema<'CreateRegulation'>['regulationType'];

/** Without `destinationIds`, a deletion is for all destinations, also for a role that cannot list them. */
const post = (typed: { type: Type; users: string }, dryRun: boolean) =>
  answer(
    api.POST('/v2/regulations', {
      params: { query: { dryRun } },
      body: {
        regulationType: typed.type,
        users: usersOf(typed.users).users.map((userId) => ({ userId })),
      },
    }),
  );

/** Suppresses users, and deletes what destinations hold if wanted. First comes a dry run that says what it would do. */
export function NewRegulation() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped, forget] = useKept('regulation', { type: 'suppress' as Type, users: '' });
  const { users, doubled } = usersOf(typed.users);
  const plan = useMutation({ mutationFn: () => post(typed, true) });
  const order = useMutation({
    mutationFn: () => post(typed, false),
    onSuccess: async () => {
      tellDone(`Done. Events of ${plural(users.length, 'user')} no longer pass.`);
      forget();
      await client.invalidateQueries({ queryKey: ['regulations'] });
      void navigate({ to: '/privacy' });
    },
  });
  const askAndOrder = async () => {
    const doesDelete = typed.type === 'suppress_with_delete';
    const text = doesDelete
      ? 'Data that destinations delete does not come back.'
      : 'Their events are dropped from now on. You can cancel the regulation later. Dropped events do not come back.';
    const title = `${doesDelete ? 'Suppress and delete' : 'Suppress'} ${plural(users.length, 'user')}?`;
    if (
      await confirm({
        title,
        text,
        action: doesDelete ? 'Delete' : 'Suppress',
        ...(doesDelete ? { typed: 'delete' } : {}),
      })
    )
      order.mutate();
  };
  const change = (next: Partial<typeof typed>) => {
    plan.reset();
    setTyped({ ...typed, ...next });
  };
  const found = plan.data && 'dryRun' in plan.data ? plan.data : undefined;
  const failed = order.error ?? plan.error;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
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
              <Select {...control} value={typed.type} onChange={({ target }) => change({ type: target.value as Type })}>
                <option value="suppress">Suppress: their events stop at once</option>
                <option value="suppress_with_delete">Suppress and delete: also what destinations hold</option>
              </Select>
            )}
          </Field>
          <Field
            label="User ids"
            hint={`One a line, or a column of a CSV file. ${plural(users.length, 'user')}${doubled > 0 ? `, ${doubled} named twice` : ''}.`}
            error={failed ? sentenceOf(failed) : undefined}
          >
            {(control) => (
              <Textarea
                {...control}
                rows={8}
                required
                value={typed.users}
                onChange={({ target }) => change({ users: target.value })}
              />
            )}
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button look="primary" type="submit" disabled={users.length === 0 || plan.isPending}>
              Check what it would do
            </Button>
            <CsvFile onRead={(text) => change({ users: text })} />
          </div>
        </form>
      </Panel>
      <Panel title="Effect">
        {found ? (
          <div className="space-y-4">
            <p>
              Events of <strong>{plural(found.users, 'user')}</strong> stop at the source.
            </p>
            {found.destinations.length > 0 && (
              <ul className="divide-y rounded-lg border">
                {found.destinations.map((one) => (
                  <li key={one.destinationId} className="flex flex-wrap items-center gap-2 px-3 py-2">
                    <span className="min-w-0 flex-1 truncate font-medium">
                      <Text value={one.name ?? one.type} max={80} />
                    </span>
                    <Badge
                      tone={one.deletion === 'supported' ? 'good' : one.deletion === 'if_configured' ? 'warn' : 'bad'}
                    >
                      {one.deletion === 'supported'
                        ? 'deletes'
                        : one.deletion === 'if_configured'
                          ? 'if it is configured'
                          : 'cannot delete'}
                    </Badge>
                    {one.reason && <span className="w-full text-[12.5px] text-muted">{one.reason}</span>}
                  </li>
                ))}
              </ul>
            )}
            {found.budgets.map(({ name, remaining, limit }) => (
              <p key={name} className="text-muted">
                {remaining} of {limit} {name === 'deletion' ? 'deletions' : 'suppressions'} are left in this period.
              </p>
            ))}
            <Button look="danger" disabled={!found.covered || order.isPending} onClick={() => void askAndOrder()}>
              {typed.type === 'suppress' ? 'Suppress' : 'Suppress and delete'} …
            </Button>
            {!found.covered && <p className="text-warn">This is more than the budget that is left.</p>}
          </div>
        ) : (
          <p className="text-muted">Check first. Nothing happens before you confirm.</p>
        )}
      </Panel>
    </div>
  );
}

/** A file input that looks like a button. The browser's own cannot be drawn. */
const CsvFile = ({ onRead }: { onRead: (text: string) => void }) => (
  <label className={cn(buttonClass(), 'cursor-pointer focus-within:outline-2 focus-within:outline-accent')}>
    <Upload size={14} aria-hidden /> From a CSV file …
    <input
      type="file"
      aria-label="Read user ids from a CSV file"
      accept=".csv,.txt,text/csv,text/plain"
      className="sr-only"
      onChange={({ target }) => {
        void target.files?.[0]?.text().then(onRead);
        target.value = ''; // the same file again is news, once somebody has changed it
      }}
    />
  </label>
);
