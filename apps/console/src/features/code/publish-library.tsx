import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Rocket } from 'lucide-react';
import { answer, api, sentenceOf } from '../../api/client.js';
import { Loaded } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { tellDone } from '../../components/toast.js';
import { Button } from '../../components/ui/button.js';
import { Dialog } from '../../components/ui/dialog.js';
import { TextField } from '../../components/ui/field.js';
import { plural } from '../../lib/format.js';
import { useKept } from '../../lib/kept.js';
import { runDependents } from './code-tests.js';
import { Evidence } from './evidence.js';

/** Publishes a library after its blast radius was shown: all live code that runs it, and which of its sampled events change. */
export function PublishLibrary({ versionId, onClose }: { versionId: string; onClose: () => void }) {
  const client = useQueryClient();
  const [why, setWhy, forget] = useKept(`why ${versionId}`, '');
  const evidence = useQuery({ queryKey: ['blast radius', versionId], queryFn: () => runDependents(versionId) });
  const publish = useMutation({
    mutationFn: () => {
      const commitId = why.trim();
      const body = { libraries: [versionId], ...(commitId ? { commitId } : {}) };
      return answer(api.POST('/transformations/libraries/publish', { body }));
    },
    onSuccess: async () => {
      forget();
      tellDone('Published. Code that imports it uses it within a second.');
      await client.invalidateQueries();
      onClose();
    },
  });
  return (
    <Dialog
      open
      side="right"
      title="Publish this library"
      description="Code that imports it runs the new revision at once."
      onClose={onClose}
    >
      <form
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          publish.mutate();
        }}
      >
        <Loaded query={evidence} what="What it changes">
          {(report) => (
            <>
              <p>
                {report.validationOutput.transformations.length === 0
                  ? 'No live code imports it, so nothing changes for events.'
                  : `It changes ${plural(report.validationOutput.transformations.length, 'live transformation')}.`}
              </p>
              <Evidence report={report} isNamed />
            </>
          )}
        </Loaded>
        <TextField
          label="Why"
          hint="Stands in the history, with your name."
          maxLength={100}
          value={why}
          onChange={setWhy}
        />
        {publish.isError && (
          <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 whitespace-pre-wrap text-bad">
            <Text value={sentenceOf(publish.error)} max={800} />
          </p>
        )}
        <Button look="primary" type="submit" disabled={publish.isPending}>
          <Rocket size={13} aria-hidden /> Publish now
        </Button>
      </form>
    </Dialog>
  );
}
