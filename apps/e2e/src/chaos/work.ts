import { setTimeout as sleep } from 'node:timers/promises';
import type { Publish, SentEvent, Wish } from '../history/lines.js';
import { once, untilAnswered } from './calls.js';
import { now, type Recorder } from './recorder.js';
import { codeOf, eventNameOf, eventOf, type Scene, versionIn } from './workspace.js';

const USERS = 6;
/** Users that are suppressed and allowed again. Of the others, one is erased, and nobody touches the rest. */
const SUPPRESSED_USERS = 3;
const ERASED_USER = SUPPRESSED_USERS;
const userName = (n: number) => `user-${n}`;

/** Pauses between the operations of one actor. */
const PAUSE_MS = { event: 80, privacy: 1_500, publish: 2_000, read: 700 };
/** Share of events that do not simply pass, for each other wish. */
const ODD_SHARE = 0.04;
const ROLLBACK_SHARE = 0.3;

/** Everything that goes on in a workspace, in all four areas at once. Which operations, and when, follows from the random numbers. */
export class Work {
  private stopped = false;
  private actors: Promise<void>[] = [];
  /** The revisions published so far, by version. */
  private readonly revisions: { version: number; revision: string }[];

  constructor(
    private readonly scene: Scene,
    private readonly recorder: Recorder,
    private readonly random: () => number,
  ) {
    const { revision, askedAt, answeredAt } = scene.first;
    this.revisions = [{ version: 1, revision }];
    const { name: workspace } = scene;
    // Without code at first. A busy process may learn of the code a moment later than of the connection.
    recorder.write({ kind: 'publish', workspace, version: 0, askedAt: 0, answeredAt: 0 });
    recorder.write({ kind: 'publish', workspace, version: 1, askedAt, answeredAt });
  }

  start(): void {
    const users = Array.from({ length: USERS }, (_, n) => this.repeat(PAUSE_MS.event, () => this.send(userName(n))));
    const others = [
      this.repeat(PAUSE_MS.privacy, () => this.suppressForAWhile()),
      this.repeat(PAUSE_MS.publish, (n) => this.publish(n + 2)),
      this.repeat(PAUSE_MS.read, () => this.read()),
    ];
    this.actors = [...users, ...others, this.eraseOnce()];
  }

  /** Resolves when every operation is answered. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.actors);
  }

  /** Reads the statistics once more, when everything has come to rest. */
  async readFinal(): Promise<void> {
    await this.readCounts(true);
  }

  private async repeat(pauseMs: number, act: (n: number) => Promise<void>): Promise<void> {
    for (let n = 0; !this.stopped; n += 1) {
      await act(n);
      await sleep(2 * pauseMs * this.random());
    }
  }

  private async send(user: string): Promise<void> {
    const { name: workspace, source, intake } = this.scene;
    const wish = this.anyWish();
    const body = eventOf(user, wish);
    const event = { kind: 'event', id: body['messageId'] as string, workspace, source: source.id, user, wish } as const;
    const { askedAt, answeredAt } = await untilAnswered(() => intake.post('/v1/track', body));
    this.recorder.write({ ...event, askedAt, answeredAt } satisfies SentEvent);
  }

  private anyWish(): Wish {
    const odd: Wish[] = ['drop', 'fail', 'filter'];
    return odd[Math.floor(this.random() / ODD_SHARE)] ?? 'pass';
  }

  private async suppressForAWhile(): Promise<void> {
    const user = userName(Math.floor(this.random() * SUPPRESSED_USERS));
    const regulation = await this.regulate(user, false);
    await sleep(PAUSE_MS.privacy * 2 * this.random());
    const { client } = this.scene;
    const lifted = await untilAnswered(() => client.delete(`/v2/regulations/${regulation}`), 204);
    const { askedAt, answeredAt } = lifted;
    this.recorder.write({ kind: 'lift', regulation, askedAt, answeredAt });
  }

  private async eraseOnce(): Promise<void> {
    await sleep(PAUSE_MS.privacy * 2 * this.random());
    await this.regulate(userName(ERASED_USER), true);
  }

  private async regulate(user: string, deletes: boolean): Promise<string> {
    const { client, name: workspace } = this.scene;
    const body = { regulationType: deletes ? 'suppress_with_delete' : 'suppress', users: [{ userId: user }] };
    const headers = { 'Idempotency-Key': `${workspace}:${user}:${now()}` };
    const made = await untilAnswered(() => client.post('/v2/regulations', body, { headers }), 201);
    const { askedAt, answeredAt, answer } = made;
    const regulation = answer.body[0].id as string;
    this.recorder.write({ kind: 'suppression', workspace, user, deletes, regulation, askedAt, answeredAt });
    return regulation;
  }

  /** Publishes new code, or an earlier revision. It is tried once, so nobody may know whether it took effect. */
  private async publish(next: number): Promise<void> {
    const { client, name: workspace, transformationId } = this.scene;
    const path = `/transformations/${transformationId}`;
    const earlier = this.random() < ROLLBACK_SHARE && this.revisions[Math.floor(this.random() * this.revisions.length)];
    const version = earlier ? earlier.version : next;
    const line: Publish = { kind: 'publish', workspace, version, askedAt: now() };
    const attempt = earlier
      ? once(() => client.post(`${path}/rollback`, { versionId: earlier.revision }))
      : once(() => client.post(`${path}?publish=true`, { code: codeOf(version) }));
    // Another publish may come between. To refuse is right then.
    const done = await attempt.catch(() => undefined);
    this.recorder.write({ ...line, ...(done && { answeredAt: done.answeredAt }) });
    if (done && !earlier) this.revisions.push({ version, revision: done.answer.body.versionId });
  }

  private async read(): Promise<void> {
    await this.readVersion();
    await this.testVersion();
    await this.readCounts(false);
  }

  private async readVersion(): Promise<void> {
    const { client, name: workspace, transformationId } = this.scene;
    const got = await once(() => client.get(`/transformations/${transformationId}`));
    if (!got) return;
    const { askedAt, answeredAt, answer } = got;
    this.recorder.write({ kind: 'version', workspace, version: versionIn(answer.body.code), askedAt, answeredAt });
  }

  private async testVersion(): Promise<void> {
    const { client, name: workspace, destinationId } = this.scene;
    const body = { message: { type: 'track', event: 'Tested', userId: 'tester' }, stage: { user_transform: true } };
    const tested = await once(() => client.post(`/v0/testDestination/${destinationId}`, body));
    const version = tested?.answer.body.data?.[0]?.user_transformed_payload?.version;
    if (!tested || version === undefined) return;
    const { askedAt, answeredAt } = tested;
    this.recorder.write({ kind: 'version', workspace, version, askedAt, answeredAt });
  }

  private async readCounts(isFinal: boolean): Promise<void> {
    const { operator, source } = this.scene;
    const get = () => operator.get('/schemas/event-models', { query: { WriteKey: source.writeKey } });
    const got = isFinal ? await untilAnswered(get) : await once(get);
    if (!got) return;
    const { askedAt, answeredAt } = got;
    const models = got.answer.body as { EventIdentifier: string; TotalCount: number }[];
    for (let n = 0; n < USERS; n += 1) {
      const user = userName(n);
      const counted = models.find(({ EventIdentifier }) => EventIdentifier === eventNameOf(user))?.TotalCount ?? 0;
      this.recorder.write({ kind: 'count', source: source.id, user, count: counted, isFinal, askedAt, answeredAt });
    }
  }
}
