import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../components/page.js';
import { EventLife } from './event-life.js';

const route = getRouteApi('/events/$messageId');

/** One event at its own address, so that users can share it. */
export function EventPage() {
  const { messageId } = route.useParams();
  return (
    <Page title={messageId} parent={{ label: 'Live', to: '/live' }}>
      <div className="max-w-3xl rounded-xl border bg-surface p-5">
        <EventLife messageId={messageId} />
      </div>
    </Page>
  );
}
