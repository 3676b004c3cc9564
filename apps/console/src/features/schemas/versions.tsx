import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { versionsQuery } from '../../api/schemas.js';
import { Loaded, Panel } from '../../components/panel.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { Badge, type Tone } from '../../components/ui/badge.js';
import { plural } from '../../lib/format.js';
import { typeText } from '../../lib/type-text.js';
import { versionBefore } from './version-before.js';

const TONES: Record<string, Tone> = { identical: 'good', compatible: 'good', breaking: 'bad' };

interface VersionsProps {
  eventId: string;
  chosen: string | undefined;
  onChoose: (versionId: string | undefined) => void;
}

/** The shapes that an event came in. A chosen one is compared with the version before it. */
export function Versions({ eventId, chosen, onChoose }: VersionsProps) {
  const versions = useQuery(versionsQuery(eventId));
  return (
    <Panel title="Versions" note="a version is a set of keys with their types" flush>
      <Loaded query={versions} what="The versions">
        {(all) => (
          <ol>
            {[...all]
              .sort((one, other) => other.LastSeen.localeCompare(one.LastSeen))
              .map((version) => (
                <li key={version.VersionID} className="border-b last:border-b-0">
                  <button
                    type="button"
                    aria-expanded={chosen === version.VersionID}
                    onClick={() => onChoose(chosen === version.VersionID ? undefined : version.VersionID)}
                    className="flex w-full items-center gap-3 px-4 py-2.5 text-left transition-colors hover:bg-sunken/60"
                  >
                    <span className="flex-1">
                      First seen <Time at={version.FirstSeen} />
                    </span>
                    <span className="tnum text-muted">{plural(version.TotalCount, 'event')}</span>
                    <span className="w-32 text-right text-muted">
                      last <Time at={version.LastSeen} />
                    </span>
                  </button>
                  {chosen === version.VersionID && (
                    <Diff versionId={version.VersionID} against={versionBefore(all, version)?.VersionID} />
                  )}
                </li>
              ))}
          </ol>
        )}
      </Loaded>
    </Panel>
  );
}

function Diff({ versionId, against }: { versionId: string; against: string | undefined }) {
  if (against === undefined)
    return (
      <p className="border-t bg-bg px-4 py-3 text-muted">This is the first version, so there is nothing to compare.</p>
    );
  return <DiffAgainst versionId={versionId} against={against} />;
}

function DiffAgainst({ versionId, against }: { versionId: string; against: string }) {
  const diff = useQuery({
    queryKey: ['version diff', versionId, against],
    queryFn: () =>
      answer(
        api.GET('/schemas/event-version/{VersionID}/diff', {
          params: { path: { VersionID: versionId }, query: { against } },
        }),
      ),
  });
  return (
    <div className="border-t bg-bg px-4 py-3">
      <Loaded query={diff} what="The comparison">
        {({ Compatibility, Added, Removed, Changed }) => (
          <>
            <p className="mb-2">
              <Badge tone={TONES[Compatibility] ?? 'neutral'}>{Compatibility}</Badge>{' '}
              <span className="text-muted">compared with the previous version</span>
            </p>
            <ul className="space-y-0.5 font-mono text-[12.5px]">
              {Added.map(({ Key, Types }) => (
                <li key={Key} className="text-good">
                  + <Text value={Key} max={120} /> {typeText(Types)}
                </li>
              ))}
              {Removed.map(({ Key, Types }) => (
                <li key={Key} className="text-bad">
                  − <Text value={Key} max={120} /> {typeText(Types)}
                </li>
              ))}
              {Changed.map(({ Key, From, To }) => (
                <li key={Key} className="text-warn">
                  ~ <Text value={Key} max={120} /> {typeText(From)} → {typeText(To)}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </div>
  );
}
