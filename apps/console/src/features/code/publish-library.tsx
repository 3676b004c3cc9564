import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { Loaded } from '../../components/panel.js';
import { plural } from '../../lib/format.js';
import { runDependents } from './code-tests.js';
import { Evidence } from './evidence.js';
import { PublishForm } from './publish-form.js';

/** Publishes a library after its blast radius was shown: all live code that runs it, and which of its sampled events change. */
export function PublishLibrary({ versionId, onClose }: { versionId: string; onClose: () => void }) {
  const evidence = useQuery({ queryKey: ['blast radius', versionId], queryFn: () => runDependents(versionId) });
  const publish = (commit: { commitId?: string }) =>
    answer(api.POST('/transformations/libraries/publish', { body: { libraries: [versionId], ...commit } }));
  return (
    <PublishForm
      title="Publish this library"
      description="Code that imports it runs this revision at once."
      done="Published. Code that imports it runs it within a second."
      {...{ versionId, publish, onClose }}
    >
      <Loaded query={evidence} what="The evidence">
        {(report) => (
          <>
            <p>
              {report.validationOutput.transformations.length === 0
                ? 'No live code imports it, so no events change.'
                : `Affects ${plural(report.validationOutput.transformations.length, 'live transformation')}.`}
            </p>
            <Evidence report={report} isNamed />
          </>
        )}
      </Loaded>
    </PublishForm>
  );
}
