import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { metadataQuery } from '../../api/schemas.js';
import { useCan } from '../../api/session.js';
import { Copy } from '../../components/copy.js';
import { JsonView } from '../../components/json-view.js';
import { Empty, Loaded, Panel } from '../../components/panel.js';
import { Button } from '../../components/ui/button.js';
import { Scroll } from '../../components/ui/scroll.js';
import { pretty } from '../../lib/json.js';
import { takeAsTestEvent } from '../../lib/test-event.js';

/** Real events, masked as the settings of the source want it. Roles without the right see none. */
export function Samples({ eventId }: { eventId: string }) {
  const navigate = useNavigate();
  const isAllowed = useCan('schemas', 'samples');
  const canTest = useCan('test', 'test');
  const metadata = useQuery({ ...metadataQuery(eventId), enabled: isAllowed });
  if (!isAllowed)
    return (
      <Empty title="Your role cannot see samples">
        Samples hold real user data. Only the admin and privacy roles can see them.
      </Empty>
    );
  return (
    <Loaded query={metadata} what="The samples">
      {({ SampledEvents }) =>
        SampledEvents.length === 0 ? (
          <Empty title="No samples yet">The next events add a few, unless the source keeps none.</Empty>
        ) : (
          <div className="grid gap-4 lg:grid-cols-2">
            {SampledEvents.map((event, at) => (
              <Panel
                // biome-ignore lint/suspicious/noArrayIndexKey: samples have no id
                key={at}
                title={`Sample ${at + 1}`}
                actions={
                  <>
                    {canTest && (
                      <Button
                        size="sm"
                        look="quiet"
                        onClick={() => {
                          takeAsTestEvent(event);
                          void navigate({ to: '/destinations' });
                        }}
                      >
                        Use as test event
                      </Button>
                    )}
                    <Copy text={pretty(event)} />
                  </>
                }
              >
                <Scroll className="max-h-80" label={`Event of sample ${at + 1}`}>
                  <JsonView value={event} label={`Sample ${at + 1}`} />
                </Scroll>
              </Panel>
            ))}
          </div>
        )
      }
    </Loaded>
  );
}
