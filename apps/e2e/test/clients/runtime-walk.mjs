// Uses @weir/client as a program of Node.js, Deno or Bun does, and prints what it got as JSON. It ends by itself only if the client
// leaves no connection open.
import { createClient, NO_ANSWER, unwrap, WeirError } from '@weir/client';

const { WEIR_URL: url, WEIR_TOKEN: token, SOURCES } = process.env;
const weir = createClient({ url, token });
const read = { params: { path: { messageId: 'nobody' } } };

const { workspace } = await unwrap(weir.GET('/v2/workspace'));
const created = await Promise.all(
  Array.from({ length: Number(SOURCES) }, (_, at) =>
    unwrap(weir.POST('/v2/sources', { body: { name: `shop ${at}`, type: 'HTTP' } })),
  ),
);
const listed = [];
for await (const { name } of weir.paginate('/v2/sources')) listed.push(name);

const { error: missing } = await weir.GET('/v2/events/{messageId}', read);
const { error: invalid } = await weir.POST('/v2/sources', { body: { name: 7, type: 'HTTP' } });
const away = createClient({ url: 'http://127.0.0.1:1', token });
const { error: unanswered } = await away.GET('/v2/workspace');
const aborted = await weir.GET('/v2/workspace', { signal: AbortSignal.abort(new Error('enough')) }).catch(String);

// A request that is put off once is sent again, with its body.
let sent = 0;
const putOff = createClient({
  url,
  token,
  fetch: async (request) => {
    sent += 1;
    if (sent > 1) return fetch(request);
    await request.text();
    return new Response(null, { status: 503, headers: { 'retry-after': '0' } });
  },
});
const other = { path: { id: created[1].source.id } };
const { source: disabled } = await unwrap(putOff.PUT('/v2/sources/{id}', { params: other, body: { enabled: false } }));

// The write key of a source is the user of basic authentication.
const { id, writeKey } = created[0].source;
const intake = createClient({ url, headers: { authorization: `Basic ${btoa(`${writeKey}:`)}` } });
const send = (event) => unwrap(intake.POST('/v1/track', { body: { event, userId: 'ada' }, parseAs: 'text' }));

let seen;
for await (const live of weir.liveEvents({ sourceId: id, onOpen: () => send('Bought') })) {
  seen = live;
  if (live.event === 'accepted') break;
}

const stop = new AbortController();
let endedBySignal = true;
for await (const live of weir.liveEvents({ sourceId: id, signal: stop.signal, onOpen: () => stop.abort() }))
  endedBySignal = live.event === 'end';

process.stdout.write(
  JSON.stringify({
    workspaceId: workspace.id,
    listed: listed.length,
    missing: [missing instanceof WeirError, missing.status, typeof missing.requestId],
    invalid: [invalid.status, Object.keys(invalid.details ?? {})],
    unanswered: [unanswered.status, unanswered.code === NO_ANSWER],
    aborted,
    repeated: [sent, disabled.enabled],
    seen: [seen.event, seen.data.name],
    endedBySignal,
  }),
);
