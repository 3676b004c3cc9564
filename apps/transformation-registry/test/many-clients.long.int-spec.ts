import { expect, it } from '@jest/globals';
import {
  CreateTransformation,
  GetDestinationRelease,
  GetTransformation,
  PublishRelease,
  UpdateTransformation,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { newWorkspace, useRegistry } from './registry.js';

const { send, database } = useRegistry();

const CLIENTS = 100;
/** Updates and publishes of all clients together, as many as a daily suite has time for. */
const OPERATIONS = Number(process.env['WEIR_TEST_OPERATIONS'] ?? 600);
/** A busy machine needs many times what a quiet one does. */
const TIMEOUT_MS = 300_000 + OPERATIONS * 60;

const codeOf = (client: number, round: number) =>
  `export const transformEvent = (event) => ({ ...event, by: "${client}/${round}" });`;

it(
  `${CLIENTS} clients at once leave one published version that some publish acknowledged, and every revision`,
  async () => {
    const who = newWorkspace();
    const destinationId = newKsuid();
    const create = { ...who, name: 'T', code: codeOf(-1, 0), destinationIds: [destinationId], publish: true };
    const first = await send(CreateTransformation, create);
    const one = { ...who, id: first.id };
    const written: string[] = [first.versionId];
    const acknowledged = new Set<string>();

    const versionsIn = async (sql: string) => {
      const rows = await database.dataSource.query<{ version_id: string }[]>(sql, [who.workspaceId]);
      return rows.map((row) => row.version_id);
    };
    const draftAndPublish = async (code: string) => {
      const { versionId } = await send(UpdateTransformation, { ...one, code, publish: false });
      written.push(versionId);
      const items = { transformations: [{ versionId, testInput: [{ type: 'track' }] }], libraries: [] };
      const { published } = await send(PublishRelease, { ...who, items });
      if (published) acknowledged.add(versionId);
    };
    const client = async (number: number) => {
      for (let round = 0; round < OPERATIONS / CLIENTS / 2; round += 1) await draftAndPublish(codeOf(number, round));
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));

    expect(acknowledged.size).toBe(OPERATIONS / 2);
    const live = await send(GetTransformation, one);
    expect(acknowledged).toContain(live.versionId);
    const { release } = await send(GetDestinationRelease, { ...who, destinationId });
    expect(release?.versionId).toBe(live.versionId);
    const revisions = 'SELECT version_id FROM transformation_revisions WHERE workspace_id = $1';
    expect((await versionsIn(revisions)).sort()).toEqual(written.sort());
    const pointers = 'SELECT version_id FROM published_transformations WHERE workspace_id = $1';
    expect(await versionsIn(pointers)).toEqual([live.versionId]);
  },
  TIMEOUT_MS,
);
