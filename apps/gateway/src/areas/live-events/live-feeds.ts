import {
  type JsonObject,
  LiveOutcomes,
  liveAcceptedSubject,
  liveOutcomesSubject,
  SuppressedEvents,
  suppressedEventsSubject,
} from '@weir/contracts';
import { isBatch, jsonOf, readBatch } from '@weir/messaging';
import { shownEvent } from '../../http/redaction.js';
import type { LiveQuery } from './live-event.schemas.js';
import type { Feed, Watcher } from './live-tap.js';

/** The messages of a workspace that a view with this query shows. */
export function feedsOf(workspaceId: string, { sourceId, destinationId }: LiveQuery): Feed[] {
  const outcomes: Feed = { subject: liveOutcomesSubject(workspaceId), read: readOutcomes };
  if (destinationId) return [outcomes];
  return [
    outcomes,
    { subject: liveAcceptedSubject(workspaceId, sourceId), read: readAccepted },
    { subject: suppressedEventsSubject(workspaceId), read: readSuppressed },
  ];
}

const readOutcomes: Feed['read'] = (line) => {
  const told = LiveOutcomes.safeParse(jsonOf(line)).data;
  return told && ((watcher) => showOutcomes(told, watcher));
};

function showOutcomes(told: LiveOutcomes, { view, query: { sourceId, destinationId, type } }: Watcher): void {
  for (const outcome of told.outcomes) {
    if (sourceId && outcome.sourceId !== sourceId) continue;
    if (destinationId && outcome.destinationId !== destinationId) continue;
    if (!type || outcome.type === type) view.show('delivery', outcome);
  }
  if (told.skipped > 0) view.skip(told.skipped);
}

const readSuppressed: Feed['read'] = (line) => {
  const told = SuppressedEvents.safeParse(jsonOf(line)).data;
  return told && ((watcher) => showSuppressed(told, watcher));
};

/** Only how many there were: suppressed events appear in no debugger (spec 1), not even by their ids and types. */
function showSuppressed({ counts }: SuppressedEvents, { view, query: { sourceId, type } }: Watcher): void {
  if (type) return;
  const at = new Date().toISOString();
  for (const count of counts) if (!sourceId || count.sourceId === sourceId) view.show('suppressed', { at, ...count });
}

const readAccepted: Feed['read'] = (line) => {
  const batch = readBatch({ json: () => jsonOf(line) });
  if (!isBatch(batch)) return undefined;
  const { sourceId, receivedAt: at, events } = batch;
  return ({ view, query: { type }, caller: { role } }) => {
    for (const event of events) {
      if (type && event['type'] !== type) continue;
      view.show('accepted', { at, sourceId, ...namesOf(event), ...shownEvent(role, event) });
    }
  };
};

function namesOf({ messageId, type, event, name }: JsonObject): JsonObject {
  const shown = Object.entries({ messageId, type, name: type === 'track' ? event : name });
  return Object.fromEntries(shown.filter(([, value]) => typeof value === 'string'));
}
