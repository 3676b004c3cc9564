import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Outbound, OutboundRequest } from '../src/kind.js';
import { objectsOf, valueAt } from '../src/toolkit/index.js';

/** The limits that HubSpot documents for one request. */
const LIMITS = { inputs: 100, values: 100, groups: 5, page: 200, legacyContacts: 1_000 };

export interface Contact {
  id: string;
  properties: JsonObject;
}

/** An account at HubSpot with contacts. It refuses what HubSpot's documentation says that it refuses. */
export class HubSpot {
  readonly sent: { name: string; body: JsonObject }[] = [];
  /** Failures by call, such as `POST /crm/v3/objects/contacts/search`. */
  readonly failing: Record<string, number> = {};
  /** Takes changes and writes none of them. */
  isSilent = false;

  constructor(
    readonly properties: JsonObject[],
    readonly contacts: Contact[] = [],
  ) {}

  readonly outbound: Outbound = {
    request: async (request) => {
      const [status, answer] = this.answerTo(request);
      const headers = { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '7' }) };
      return { status, headers, body: Buffer.from(JSON.stringify(answer)), truncated: false };
    },
    connect: () => Promise.reject(new Error('no connection')),
  };

  get names(): string[] {
    return this.sent.map(({ name }) => name);
  }

  private answerTo({ method, url, body = '{}' }: OutboundRequest): [status: number, answer: unknown] {
    const { pathname, search } = new URL(url);
    const name = `${method} ${pathname}`;
    const content = JSON.parse(body) as JsonObject;
    this.sent.push({ name: `${name}${search}`, body: content });
    if (this.failing[name]) return [this.failing[name], { message: 'failing' }];
    if (pathname.startsWith('/crm/v3/properties/')) return [200, { results: this.properties }];
    if (pathname.endsWith('/search')) return this.search(content);
    const [, operation = ''] = /^\/crm\/v3\/objects\/\w+\/batch\/(\w+)$/.exec(pathname) ?? [];
    if (operation && this.isSilent) return [200, { status: 'COMPLETE', results: [] }];
    if (operation) return this.write(operation, objectsOf(content['inputs']));
    if (Array.isArray(content)) return [content.length > LIMITS.legacyContacts ? 400 : 202, {}];
    return [200, {}];
  }

  private search({ filterGroups, limit, after = '0' }: JsonObject): [number, unknown] {
    const groups = objectsOf(filterGroups);
    const filters = groups.flatMap((group) => objectsOf(group['filters']));
    const values = filters.flatMap((filter) => filter['values'] as string[]);
    const isTooLarge = groups.length > LIMITS.groups || Number(limit) > LIMITS.page;
    if (isTooLarge || filters.some((filter) => (filter['values'] as string[]).length > LIMITS.values)) return [400, {}];
    if (values.some((value) => value !== value.toLowerCase())) return [400, { message: 'IN takes lower case' }];
    const found = this.contacts.filter(({ properties }) =>
      filters.some(({ propertyName }) =>
        String(properties[String(propertyName)] ?? '')
          .toLowerCase()
          .split(';')
          .some((one) => values.includes(one)),
      ),
    );
    const end = Number(after) + Number(limit);
    const paging = end < found.length ? { paging: { next: { after: String(end) } } } : {};
    return [200, { results: found.slice(Number(after), end), ...paging }];
  }

  /** All of a request are refused for one wrong property. A record that is unknown is named in a 207. */
  private write(operation: string, inputs: readonly JsonObject[]): [number, unknown] {
    const names = inputs.map((input) => `${input['idProperty']} ${input['id'] ?? valueAt(input, 'properties.email')}`);
    if (inputs.length > LIMITS.inputs) return [400, { message: 'too many inputs' }];
    if (new Set(names).size < names.length) return [400, { message: 'duplicates' }];
    const wrong = inputs.flatMap((input) => this.wrongIn(input));
    if (wrong.length > 0) return [400, { message: wrong.join() }];
    const unknown =
      operation === 'update' ? inputs.filter(({ id }) => !this.contacts.some((one) => one.id === id)) : [];
    const errors = unknown.map(({ objectWriteTraceId }) => ({ context: { objectWriteTraceId: [objectWriteTraceId] } }));
    return errors.length > 0 ? [207, { status: 'COMPLETE', errors }] : [operation === 'create' ? 201 : 200, {}];
  }

  private wrongIn({ idProperty, properties }: JsonObject): string[] {
    const known = new Map(this.properties.map((property) => [property['name'], property] as const));
    if (idProperty !== undefined && !known.get(idProperty)?.['hasUniqueValue']) return [`${idProperty} is not unique`];
    return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, value]) => {
      const type = known.get(name)?.['type'];
      const isRight = type === 'number' ? typeof value === 'number' : typeof value !== 'object';
      return type === undefined || !isRight || value === 'refused' ? [`${name} is wrong`] : [];
    });
  }
}
