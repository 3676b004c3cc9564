// Runs in `helm test`: one signed-in create, test, publish, list and delete, like a client. Exits with 0 if all succeed.
const { BASE_URL, BOOTSTRAP_EMAIL, BOOTSTRAP_ACCESS_TOKEN } = process.env;
const authorization = `Basic ${Buffer.from(`${BOOTSTRAP_EMAIL}:${BOOTSTRAP_ACCESS_TOKEN}`).toString('base64')}`;

async function ask(method, path, body) {
  const answer = await fetch(`${BASE_URL}${path}`, {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  console.log(`${method} ${path}: ${answer.status}`);
  return text ? JSON.parse(text) : undefined;
}

const code = 'export function transformEvent(event) { event.context = { seen: true }; return event; }';
await ask('GET', '/readyz');
const { id, versionId } = await ask('POST', '/transformations', { name: 'helm test', language: 'javascript', code });
try {
  const items = { transformations: [{ versionId, testInput: [{ type: 'track', event: 'Helm test' }] }], libraries: [] };
  await ask('POST', '/transformations/libraries/publish', items);
  const { transformations } = await ask('GET', '/transformations');
  if (!transformations.some((one) => one.id === id)) throw new Error('what was published is not in the list');
} finally {
  await ask('DELETE', `/transformations/${id}`);
}
