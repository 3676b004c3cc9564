import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Save } from 'lucide-react';
import { answer, api, type Schema, sentenceOf } from '../../api/client.js';
import { libraryRevisionsQuery } from '../../api/code.js';
import { useCan } from '../../api/session.js';
import { CodeEditor } from '../../components/editor/index.js';
import { Page } from '../../components/page.js';
import { Empty, Loaded } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { tellDone } from '../../components/toast.js';
import { Badge } from '../../components/ui/badge.js';
import { Button } from '../../components/ui/button.js';
import { Input } from '../../components/ui/field.js';
import { useKept } from '../../lib/kept.js';
import { placeOf } from './code-tests.js';

const route = getRouteApi('/libraries/$id');
const FIRST_CODE = `export function mask(text) {
  return typeof text === 'string' ? '***' : text;
}
`;

export function LibraryPage() {
  const { id } = route.useParams();
  const revisions = useQuery({ ...libraryRevisionsQuery(id), enabled: id !== 'new' });
  if (id === 'new') return <Edit key="new" revision={undefined} />;
  return (
    <Loaded query={revisions} what="The library">
      {([newest]) =>
        newest ? <Edit key={newest.versionId} revision={newest} /> : <Empty title="There is no such library" />
      }
    </Loaded>
  );
}

function Edit({ revision }: { revision: Schema<'LibraryRevision'> | undefined }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const canWrite = useCan('transformations', 'write');
  const [typed, setTyped, forget] = useKept(`library ${revision?.versionId ?? 'new'}`, {
    name: revision?.name ?? '',
    code: revision?.code ?? FIRST_CODE,
  });
  const save = useMutation({
    mutationFn: async () => {
      const query = { publish: true };
      if (!revision) return answer(api.POST('/libraries', { params: { query }, body: typed }));
      return answer(
        api.POST('/libraries/{id}', { params: { path: { id: revision.id }, query }, body: { code: typed.code } }),
      );
    },
    onSuccess: async (saved) => {
      tellDone('Published. Code that imports it uses it within a second.');
      forget();
      await client.invalidateQueries();
      if (!revision) void navigate({ to: '/libraries/$id', params: { id: saved.id }, replace: true });
    },
  });
  const mark = save.isError ? placeOf(sentenceOf(save.error)) : undefined;
  return (
    <Page
      title={revision?.name ?? 'New library'}
      parent={{ label: 'Code', to: '/code' }}
      badge={
        revision && (
          <Badge tone={revision.isPublished ? 'good' : 'neutral'}>{revision.isPublished ? 'live' : 'draft'}</Badge>
        )
      }
      lead={revision && <code className="font-mono text-[12.5px]">{`import { … } from '${revision.importName}'`}</code>}
    >
      {save.isError && (
        <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 whitespace-pre-wrap text-bad">
          <Text value={sentenceOf(save.error)} max={800} />
        </p>
      )}
      <section aria-label="Code" className="flex h-[68vh] flex-col overflow-hidden rounded-xl border bg-surface">
        <div className="flex items-center gap-2 border-b p-2">
          <Input
            aria-label="Name"
            placeholder="Name of this library"
            disabled={!canWrite || revision !== undefined}
            value={typed.name}
            onChange={({ target }) => setTyped({ ...typed, name: target.value })}
          />
          {canWrite && (
            <Button look="primary" disabled={save.isPending || typed.name === ''} onClick={() => save.mutate()}>
              <Save size={13} aria-hidden /> Publish
            </Button>
          )}
        </div>
        <CodeEditor
          label="JavaScript of this library"
          initial={typed.code}
          onChange={(code) => setTyped({ ...typed, code })}
          onSave={() => canWrite && typed.name !== '' && save.mutate()}
          marks={mark ? [mark] : []}
          isReadOnly={!canWrite}
        />
      </section>
    </Page>
  );
}
