import { sharedStack } from '@weir/local';
import { type Api, api, type RecordingServer, until } from '@weir/testing';
import { newLibrary, newTransformation } from './code.js';
import { connect, type Destination, newSource, newWebhook, type Source, sendEvent } from './inventory.js';
import { made, type Workspace } from './workspace.js';

/** A workspace as a person would have it: what the pictures of the console show. */
export interface Shop {
  source: Source;
  waiting: Source;
  warehouse: Destination;
  crm: Destination;
  /** The transformation of the warehouse. Its second revision is on trial. */
  code: string;
  /** The transformation of the CRM, which imports the library. Its second revision is a draft. */
  crmCode: string;
  /** Code that is not live yet. */
  draft: string;
  /** The library that the code of the CRM imports. */
  library: string;
  /** Id of the model of orders. */
  model: string;
  regulation: string;
  /** Access tokens of people beside the admin. */
  staff: string[];
}

const MASK = `/** Keeps addresses out of the warehouse. */
export function transformEvent(event) {
  const traits = event.context?.traits;
  if (traits?.email) traits.email = '***';
  return event;
}
`;
const MASK_AND_COUNT = `/** Keeps addresses out of the warehouse, and counts what an order holds. */
export function transformEvent(event) {
  const traits = event.context?.traits;
  if (traits?.email) traits.email = traits.email.replace(/^[^@]+/, '***');
  if (event.event === 'Order completed') {
    event.properties.items = event.properties.products.length;
  }
  return event;
}
`;
const ROUNDED_MONEY = `export const euro = (cents) => (cents / 100).toFixed(0);
`;
const MONEY = `export const euro = (cents) => (cents / 100).toFixed(2);
`;
const PRICE = `import { euro } from 'money';

export function transformEvent(event) {
  const cents = event.properties?.cents;
  return cents ? { ...event, properties: { ...event.properties, price: euro(cents) } } : event;
}
`;
const PRICE_AND_CURRENCY = PRICE.replace('price: euro(cents)', "price: euro(cents), currency: 'EUR'");
const CONSENT = `/** Drops events of visitors who have not agreed. */
export function transformEvent(event) {
  return event.context?.consent === false ? undefined : event;
}
`;
const PEOPLE = ['ada', 'grace', 'linus', 'margaret', 'dennis', 'barbara'];
const GOODS = ['Tent', 'Stove', 'Rope', 'Lantern'];

/** Makes sources, code and destinations of an outdoor shop, and the events of its customers. The CRM refuses refunds. */
export async function openShop({ writer, admin, tokens }: Workspace, hook: RecordingServer): Promise<Shop> {
  hook.answer(({ path, json }) =>
    path === '/crm' && (json as { event?: string }).event === 'Order refunded'
      ? { status: 422, body: { problem: 'this order is already closed' } }
      : { status: 200 },
  );
  const source = await newSource(writer, { name: 'Web shop', type: 'Javascript' });
  const app = await newSource(writer, { name: 'iOS app', type: 'HTTP' });
  const waiting = await newSource(writer, { name: 'Till in the store', type: 'HTTP' });
  const hookOf = (name: string, path: string) => newWebhook(writer, `${hook.url}${path}`, { name });
  const warehouse = await hookOf('Warehouse', '/warehouse');
  const crm = await hookOf('CRM', '/crm');
  const ads = await hookOf('Ad audiences', '/ads');
  for (const one of [warehouse, crm, ads]) await connect(writer, source, one);
  await connect(writer, app, warehouse);
  made(await writer.post('/v2/notifications', { type: 'webhook', name: 'On call', url: `${hook.url}/on-call` }), 201);
  const mask = await newTransformation(writer, MASK, { name: 'Mask addresses', destinationIds: [warehouse.id] });
  made(await writer.put(`/transformations/${mask.id}/auto-rollback`, { errorRate: 0.05 }));
  await revise(
    writer,
    'transformations',
    mask.id,
    MASK_AND_COUNT,
    'Keep the domain, and count the items of an order (SHOP-142)',
  );
  const library = await newLibrary(writer, ROUNDED_MONEY, { name: 'money' });
  await revise(writer, 'libraries', library.id, MONEY, 'Keep the cents (SHOP-118)');
  const price = await newTransformation(writer, PRICE, { name: 'Price in euro', destinationIds: [crm.id] });
  made(await writer.post(`/transformations/${price.id}`, { code: PRICE_AND_CURRENCY }));
  const draft = await newTransformation(writer, CONSENT, { name: 'Only with consent' }, { publish: false });
  await customersOf(source, app);
  const user = { userId: 'former-customer' };
  const body = { regulationType: 'suppress_with_delete', users: [user] };
  const [{ id: regulation }] = made(await writer.post('/v2/regulations', body), 201);
  const staff = await staffOf(admin);
  const token = { name: 'Continuous integration', role: 'publish' };
  made(await admin.post('/v2/access-tokens', token), 201);
  made(await admin.put('/v2/credentials/CRM_REGION', { value: 'eu-central', isSecret: false }));
  made(await admin.put('/v2/credentials/CRM_KEY', { value: 'a secret of the shop', isSecret: true }));
  return {
    source,
    waiting,
    warehouse,
    crm,
    code: mask.id,
    crmCode: price.id,
    draft: draft.id,
    library: library.id,
    model: await orders(tokens.admin),
    regulation,
    staff,
  };
}

type Kind = 'transformations' | 'libraries';

/** Publishes another revision, with the reason for it. */
async function revise(client: Api, kind: Kind, id: string, code: string, commitId: string): Promise<void> {
  const { versionId } = made(await client.post(`/${kind}/${id}`, { code }));
  made(await client.post('/transformations/libraries/publish', { [kind]: [versionId], commitId }));
}

/** Tokens of people who work beside the admin. */
async function staffOf(admin: Api): Promise<string[]> {
  const people = [
    { name: 'Support desk', role: 'read', email: 'grace@peak.example' },
    { name: 'Privacy office', role: 'privacy', email: 'margaret@peak.example' },
  ];
  const answers = await Promise.all(people.map((one) => admin.post('/v2/access-tokens', one)));
  return answers.map((answer) => made(answer, 201).accessToken.token);
}

async function customersOf(source: Source, app: Source): Promise<void> {
  for (const [at, userId] of PEOPLE.entries()) {
    const person = { userId, context: { traits: { email: `${userId}@example.com`, plan: at % 2 ? 'free' : 'plus' } } };
    const products = GOODS.slice(0, 1 + (at % GOODS.length)).map((name, row) => ({ name, cents: 990 * (row + 1) }));
    const cents = products.reduce((sum, one) => sum + one.cents, 0);
    await sendEvent(source, 'identify', { ...person, traits: person.context.traits });
    await sendEvent(at % 2 ? app : source, 'page', { ...person, name: 'Home', properties: { path: '/' } });
    for (const product of products)
      await sendEvent(source, 'track', { ...person, event: 'Product viewed', properties: product });
    const properties = { orderId: `A-${1_000 + at}`, products, cents, coupon: at % 3 ? 'SPRING' : undefined };
    const messageId = `order-a-${1_000 + at}`;
    await sendEvent(source, 'track', { ...person, event: 'Order completed', messageId, properties });
    if (at % 3 === 0) {
      const refund = { orderId: `A-${1_000 + at}`, cents };
      await sendEvent(source, 'track', { ...person, event: 'Order refunded', properties: refund });
    }
  }
}

/** The model of orders, once one of them has been sampled. */
const orders = (token: string) => {
  const admin = api(sharedStack(), { user: '', password: token }); // schemas take no Bearer
  return until('a sample of an order', async () => {
    const models = made(await admin.get('/schemas/event-models'));
    const model = models.find((one: { EventIdentifier: string }) => one.EventIdentifier === 'Order completed');
    const metadata = model && made(await admin.get(`/schemas/event-model/${model.EventID}/metadata`));
    return metadata?.SampledEvents.length > 0 && (model.EventID as string);
  });
};
