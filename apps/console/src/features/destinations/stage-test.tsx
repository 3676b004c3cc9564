import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { answer, api, type Schema, sentenceOf } from '../../api/client.js';
import { useCan } from '../../api/session.js';
import { ChangeList } from '../../components/change-list.js';
import { JsonView } from '../../components/json-view.js';
import { Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { Field, Textarea } from '../../components/ui/field.js';
import { Scroll } from '../../components/ui/scroll.js';
import { LabeledSwitch } from '../../components/ui/switch.js';
import { milliseconds } from '../../lib/format.js';
import { parseJson, pretty } from '../../lib/json.js';
import { diffJson } from '../../lib/json-diff.js';
import { useKept } from '../../lib/kept.js';
import { EXAMPLE_EVENT } from '../../lib/test-event.js';

type Result = Schema<'DestinationTestResult'>;

/** Takes one event through the stages, and shows what each made of it. */
export function StageTest({ destinationId }: { destinationId: string }) {
  const canSend = useCan('test', 'write');
  const [text, setText] = useKept('test event', pretty(EXAMPLE_EVENT));
  const [doesSend, setSend] = useKept(`test sends ${destinationId}`, false);
  const run = useMutation({
    mutationFn: async () => {
      const message = parseJson(text) as NonNullable<Schema<'TestDestinationRequest'>['message']>;
      const stage = { user_transform: true, dest_transform: true, send_to_destination: doesSend };
      const params = { path: { id: destinationId }, query: { details: true } };
      // as it was typed: a number of JSON may be more exact than one of JavaScript (decision 0037)
      const bodySerializer = () => `{"message":${text},"stage":${JSON.stringify(stage)}}`;
      const result = await answer(
        api.POST('/v0/testDestination/{id}', { params, body: { message, stage }, bodySerializer }),
      );
      return { result, sent: message };
    },
  });
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title="Event">
        <form
          className="space-y-3"
          onSubmit={(event) => {
            event.preventDefault();
            run.mutate();
          }}
        >
          <Field label="Event JSON" error={run.isError ? sentenceOf(run.error) : undefined}>
            {(control) => (
              <Textarea
                {...control}
                rows={16}
                spellCheck={false}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            )}
          </Field>
          <div className="flex flex-wrap items-center gap-3">
            <Button look="primary" type="submit" disabled={run.isPending}>
              <Play size={13} aria-hidden /> Run stages
            </Button>
            {canSend && <LabeledSwitch label="Also send it" checked={doesSend} onChange={setSend} />}
          </div>
        </form>
      </Panel>
      <Panel title="Results by stage">
        {run.data ? (
          <Stages result={run.data.result} sent={run.data.sent} />
        ) : (
          <p className="text-muted">
            Run the event to see what your code, the destination's format and the destination make of it.
          </p>
        )}
      </Panel>
    </div>
  );
}

function Stages({ result, sent }: { result: Result; sent: unknown }) {
  const milliseconds_ = result.details?.milliseconds;
  const logs = result.details?.logs ?? [];
  if (result.error) return <Problem text={result.error} />;
  return (
    <div className="space-y-5">
      {(result.data ?? []).map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: results have no id
        <div key={at} className="space-y-5">
          <Stage
            name="Your code"
            took={milliseconds_?.user_transform}
            value={one.user_transformed_payload}
            before={sent}
          />
          <Stage
            name="The destination's format"
            took={milliseconds_?.dest_transform}
            value={one.dest_transformed_payload}
          />
          <Stage
            name="Response"
            took={milliseconds_?.send_to_destination}
            value={one.destination_response}
            status={one.destination_response_status}
          />
        </div>
      ))}
      {(result.suppressed ?? []).length > 0 && <Problem text="A regulation stops events of this user." />}
      {logs.length > 0 && <Logs lines={logs} />}
    </div>
  );
}

interface StageProps {
  name: string;
  took: number | undefined;
  value: unknown;
  before?: unknown;
  status?: number[] | undefined;
}

function Stage({ name, took, value, before, status }: StageProps) {
  if (value === undefined) return null;
  const diff = before === undefined ? undefined : diffJson(before, value);
  return (
    <section>
      <div className="mb-1.5 flex items-center gap-2">
        <h3 className="font-medium">{name}</h3>
        {took !== undefined && <span className="text-[12.5px] text-muted">{milliseconds(took)}</span>}
        {status?.map((code) => (
          <Badge key={code} tone={code < 300 ? 'good' : 'bad'}>
            HTTP {code}
          </Badge>
        ))}
      </div>
      {diff && <ChangeList changes={diff.changes} left={diff.left} />}
      <Scroll className="mt-1.5 max-h-72 rounded-lg border bg-bg p-3" label={name}>
        <JsonView value={value} label={name} />
      </Scroll>
    </section>
  );
}

const Problem = ({ text }: { text: string }) => (
  <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
    <Text value={text} max={600} />
  </p>
);

const Logs = ({ lines }: { lines: readonly string[] }) => (
  <section>
    <h3 className="mb-1.5 font-medium">Log</h3>
    <ol className="rounded-lg border bg-bg p-3 font-mono text-[12.5px]">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log may be equal
        <li key={at}>
          <Text value={line} max={400} />
        </li>
      ))}
    </ol>
  </section>
);
