import type { Known, ToDelete } from '../src/core/entity-tag.js';
import type { TestCase } from '../src/project/code-files.js';
import type { JsonObject } from '../src/project/json.js';
import type { Kind } from '../src/project/plan.js';
import type { Actual, Privacy } from '../src/project/resources.js';
import type { Workspace } from '../src/project/workspace.js';

/** The defaults of a new source. */
const NEW_PRIVACY: Privacy = { samples: 'mask', maskedKeys: [] };

/** Libraries have no tests. */
type Stored = Actual['transformations'][number];

/** A workspace in memory, with the rules of the API that matter to a plan. For tests. */
export class MemoryWorkspace implements Workspace {
  private lastId = 0;
  /** Requests left until the "kill". */
  requestsLeft = Number.POSITIVE_INFINITY;
  readonly sources = new Map<string, Actual['sources'][number]>();
  readonly destinations = new Map<string, { id: string; link?: string } & JsonObject>();
  readonly connections = new Map<string, { id: string; sourceId: string; destinationId: string; enabled: boolean }>();
  readonly code = { transformation: new Map<string, Stored>(), library: new Map<string, Stored>() };
  readonly credentials = new Map<string, { value: string; isSecret: boolean }>();
  /** Counts changes. */
  changes = 0;

  constructor(
    private readonly kinds: Actual['kinds'],
    /** Admins see the secrets of destinations. */
    private readonly seesSecrets = true,
  ) {}

  async read(): Promise<Actual> {
    const nameOf = (map: Map<string, JsonObject | { name: string }>, id: string) =>
      String(map.get(id)?.['name' as never]);
    return structuredClone({
      sources: [...this.sources.values()].map(this.tagged),
      destinations: [...this.destinations.values()].map(({ link, ...one }) => ({
        ...(one as unknown as Actual['destinations'][number]),
        etag: this.etagOf(one.id),
        config: this.shown(String(one['type']), one['config'] as JsonObject),
        ...(link && { transformation: nameOf(this.code.transformation, link) }),
      })),
      connections: [...this.connections.values()].map(({ id, sourceId, destinationId, enabled }) => ({
        ...{
          id,
          etag: this.etagOf(id),
          enabled,
          source: nameOf(this.sources, sourceId),
          destination: nameOf(this.destinations, destinationId),
        },
      })),
      transformations: [...this.code.transformation.values()].map(this.tagged),
      libraries: [...this.code.library.values()].map(({ tests: _, ...one }) => ({
        ...this.tagged(one),
        importName: one.name,
      })),
      credentials: [...this.credentials].map(([key, { value, isSecret }]) => ({
        ...{ key, secret: isSecret },
        ...(!isSecret && { value }),
      })),
      kinds: this.kinds,
    });
  }

  async putCredential(key: string, body: { value: string; isSecret: boolean }): Promise<void> {
    this.count();
    this.credentials.set(key, body);
  }

  async draft(
    kind: 'transformation' | 'library',
    existing: Known | undefined,
    code: { name: string; description: string; code: string },
  ) {
    this.count();
    if (existing) this.requireTag(existing);
    else this.refuseName(this.code[kind], code);
    const before = existing && must(this.code[kind].get(existing.id));
    const draft = { ...code, id: existing?.id ?? this.newId(), versionId: this.newId() };
    const tests = before?.tests ?? [];
    this.pending.set(draft.versionId, { kind, stored: { ...draft, isPublished: true, tests } });
    if (!before?.isPublished) this.code[kind].set(draft.id, { ...draft, isPublished: false, tests });
    return { id: draft.id, versionId: draft.versionId, etag: this.touch(draft.id) };
  }
  private readonly pending = new Map<string, { kind: 'transformation' | 'library'; stored: Stored }>();

  async publish(
    revisions: { versionId: string; etag?: string | undefined; tests?: TestCase[] | undefined }[],
  ): Promise<void> {
    this.count();
    const found = revisions.map((one) => ({ ...one, ...must(this.pending.get(one.versionId)) }));
    for (const { stored, etag } of found) this.requireTag({ id: stored.id, etag });
    for (const { kind, stored, tests } of found) {
      this.code[kind].set(stored.id, { ...stored, ...(tests && { tests }) });
      this.touch(stored.id);
    }
  }

  async createSource(body: JsonObject) {
    this.count();
    this.refuseName(this.sources, body);
    const { name, type, enabled, transient, partitions, config, writeKey } =
      body as unknown as Actual['sources'][number];
    const id = this.newId();
    const key = writeKey ?? `wk-${id}`;
    const rest = { geoEnrichment: body['geoEnrichmentEnabled'] === true, privacy: NEW_PRIVACY, writeKey: key };
    this.sources.set(id, { id, name, type, enabled, transient, partitions, config, ...rest });
    return { id, writeKey: key };
  }

  async updateSource({ id, etag }: Known, body: JsonObject): Promise<void> {
    this.count();
    this.requireTag({ id, etag });
    this.touch(id);
    const { geoEnrichmentEnabled, ...rest } = body;
    const source = { ...must(this.sources.get(id)), ...rest, geoEnrichment: geoEnrichmentEnabled === true };
    this.sources.set(id, source as Actual['sources'][number]);
  }

  async putPrivacy(writeKey: string, privacy: Privacy): Promise<void> {
    this.count();
    const source = must([...this.sources.values()].find((one) => one.writeKey === writeKey));
    this.sources.set(source.id, { ...source, privacy });
  }

  async createDestination(body: JsonObject) {
    this.count();
    this.refuseName(this.destinations, body);
    const id = this.newId();
    this.destinations.set(id, { ...body, id });
    return { id };
  }

  async updateDestination({ id, etag }: Known, body: JsonObject): Promise<void> {
    this.count();
    this.requireTag({ id, etag });
    this.touch(id);
    this.destinations.set(id, { ...must(this.destinations.get(id)), ...body });
  }

  async link(destinationId: string, transformationId: string): Promise<void> {
    this.count();
    if (!must(this.code.transformation.get(transformationId)).isPublished) throw new Error('a draft cannot be linked');
    this.destinations.set(destinationId, { ...must(this.destinations.get(destinationId)), link: transformationId });
  }

  async unlink(destinationId: string): Promise<void> {
    this.count();
    const { link: _, ...rest } = must(this.destinations.get(destinationId));
    this.destinations.set(destinationId, rest as { id: string } & JsonObject);
  }

  async createConnection(body: { sourceId: string; destinationId: string; enabled: boolean }): Promise<void> {
    this.count();
    must(this.sources.get(body.sourceId));
    must(this.destinations.get(body.destinationId));
    const id = this.newId();
    this.connections.set(id, { ...body, id });
  }

  async updateConnection({ id, etag }: Known, { enabled }: { enabled: boolean }): Promise<void> {
    this.count();
    this.requireTag({ id, etag });
    this.touch(id);
    this.connections.set(id, { ...must(this.connections.get(id)), enabled });
  }

  async delete(kind: Kind, { id, etag, versionId }: ToDelete): Promise<void> {
    this.count();
    this.requireTag({ id, etag });
    const maps = { source: this.sources, destination: this.destinations, connection: this.connections, ...this.code };
    const map: Map<string, unknown> = kind === 'credential' ? this.credentials : maps[kind];
    const now = kind === 'transformation' ? this.code.transformation.get(id)?.versionId : versionId;
    if (versionId !== undefined && now !== versionId) throw new Error(`${id} has changed since it was read`);
    if (!map.delete(id)) throw new Error(`there is no ${kind} ${id}`);
    if (kind === 'source' || kind === 'destination')
      for (const [key, one] of this.connections) if (one[`${kind}Id`] === id) this.connections.delete(key);
  }

  private shown(type: string, config: JsonObject): JsonObject {
    if (this.seesSecrets) return config;
    const { secretKeys = [] } = this.kinds[type] ?? {};
    const masked = secretKeys.filter((key) => typeof config[key] === 'string' && config[key] !== '');
    return { ...config, ...Object.fromEntries(masked.map((key) => [key, '***'])) };
  }

  private tagged = <Stored extends { id: string }>(one: Stored) => ({ ...one, etag: this.etagOf(one.id) });

  /** The tag of the state that an object is in. */
  private etagOf = (id: string): string => `"${id}-${this.states.get(id) ?? 0}"`;

  private touch(id: string): string {
    this.states.set(id, (this.states.get(id) ?? 0) + 1);
    return this.etagOf(id);
  }
  /** Counts the changes of each object. */
  private readonly states = new Map<string, number>();

  private requireTag({ id, etag }: Known): void {
    if (etag !== undefined && etag !== this.etagOf(id)) throw new Error(`${id} has changed since it was read`);
  }

  private refuseName(map: Map<string, unknown>, { name }: { name?: unknown }): void {
    const taken = [...map.values()].some((one) => Reflect.get(Object(one), 'name') === name);
    if (taken) throw new Error(`the name ${String(name)} is taken`);
  }

  private count(): void {
    if (this.requestsLeft-- <= 0) throw new Error('killed');
    this.changes++;
  }

  private newId = (): string => String(++this.lastId).padStart(27, '0');
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is no such object');
  return value;
}
