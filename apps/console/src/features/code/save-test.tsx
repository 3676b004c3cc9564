import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../../api/client.js';
import { changeTests } from '../../api/code.js';
import { Text } from '../../components/text.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { Dialog } from '../../components/ui/dialog.js';
import { Field, Textarea, TextField } from '../../components/ui/field.js';
import { anonymous } from '../../lib/anonymous.js';
import { isRecord } from '../../lib/json.js';
import { useKept } from '../../lib/kept.js';
import { newId } from '../../lib/new-id.js';
import { runTests } from './code-tests.js';

interface SaveTestProps {
  id: string;
  /** The saved revision whose output is expected from now on. */
  versionId: string;
  event: unknown;
  name: string;
  onSaved: () => void;
  onClose: () => void;
}

/** Keeps an event with what the code makes of it now. Who is in the event is replaced first, and people may change the rest. */
export function SaveTest({ id, versionId, event, name: suggested, onSaved, onClose }: SaveTestProps) {
  const client = useQueryClient();
  const [typed, setTyped, forget] = useKept(`test ${versionId} ${idOf(event)}`, {
    name: suggested,
    text: JSON.stringify(anonymous(event), null, 2),
  });
  const { name, text } = typed;
  const save = useMutation({
    mutationFn: async () => {
      const input = [eventIn(text)];
      const expectedOutput = await outputOf(versionId, input);
      const test = { id: newId(), name, input: input as Record<string, never>[], expectedOutput };
      await changeTests(id, (tests) => [...tests, test]);
    },
    onSuccess: async () => {
      forget();
      tellDone('Saved. Every publish runs this test.');
      await client.invalidateQueries({ queryKey: ['saved tests', id] });
      onSaved();
      onClose();
    },
  });
  return (
    <Dialog
      open
      title="Save as a test"
      description="Every later revision must give the same result as this one."
      onClose={onClose}
    >
      <form
        className="space-y-4"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          save.mutate();
        }}
      >
        <TextField
          label="Test name"
          required
          maxLength={100}
          value={name}
          onChange={(next) => setTyped({ ...typed, name: next })}
        />
        <Field
          label="Event"
          hint="Identifiers, addresses and traits are already replaced. Tests remain when a user is deleted, so keep real people out of them."
        >
          {(control) => (
            <Textarea
              {...control}
              rows={14}
              spellCheck={false}
              value={text}
              onChange={({ target }) => setTyped({ ...typed, text: target.value })}
            />
          )}
        </Field>
        {save.isError && (
          <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 whitespace-pre-wrap text-bad">
            <Text value={sentenceOf(save.error)} max={600} />
          </p>
        )}
        <Button look="primary" type="submit" disabled={save.isPending || name === ''}>
          Save test
        </Button>
      </form>
    </Dialog>
  );
}

/** Tells the events of one test run apart: in the address, and so that each keeps what was typed of it. */
export const idOf = (event: unknown): string =>
  String(isRecord(event) ? (event['messageId'] ?? event['event']) : event);

function eventIn(text: string): Record<string, unknown> {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (error) {
    throw new Error(`The event is not valid JSON: ${sentenceOf(error)}`);
  }
  if (!isRecord(event)) throw new Error('The event must be a JSON object.');
  return event;
}

/** Runs the code on the event and returns its output. Throws if the code fails, because a failure is not an expectation. */
async function outputOf(versionId: string, input: Record<string, unknown>[]): Promise<unknown[]> {
  const { validationOutput, message } = await runTests(versionId, input);
  const result = validationOutput.transformations[0]?.testResult.results[0];
  if (!result) throw new Error(message);
  const [problem] = result.errors;
  if (problem) throw new Error(problem.message);
  return result.actualOutput;
}
