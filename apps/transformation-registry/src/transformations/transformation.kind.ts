import type { Transformation } from '@weir/contracts';
import type { CodeNode } from '../gate/nodes.js';
import type { Kind, RevisionRow } from '../revisions/kind.js';
import { nullable } from '../rules/nullable.js';

export interface TransformationRow extends RevisionRow {
  destinations: string[];
  rolled_back: RolledBack | null;
}

type RolledBack = NonNullable<Transformation['rolledBack']>;

interface Own {
  codeVersion: '1';
  imports: string[];
  rolledBack?: RolledBack;
}

/** A transformation's name belongs to its revisions, so it may change. */
export const TRANSFORMATION: Kind<TransformationRow, CodeNode, Own, { destinations: string[] }> = {
  what: 'transformation',
  table: 'transformations',
  revisions: 'transformation_revisions',
  published: 'published_transformations',
  key: 'transformation_id',
  naming: ['r.name'],
  columns: [
    `ARRAY(
      SELECT l.destination_id FROM destination_links l
      WHERE l.workspace_id = e.workspace_id AND l.transformation_id = e.id ORDER BY l.created_at, l.destination_id
    ) AS destinations`,
    // formats the time as the wire does, whatever the session's settings
    `(
      SELECT jsonb_build_object('to', t.previous_version_id, 'errorRate', t.error_rate, 'events', t.events, 'errors', t.errors,
        'at', to_char(t.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM version_trials t
      WHERE t.workspace_id = r.workspace_id AND t.version_id = r.version_id AND t.state = 'rolledBack'
    ) AS rolled_back`,
  ],
  pointed: [],
  node: ({ id, version_id: versionId, name, external_id, imports }) => ({
    ...{ id, versionId, name, imports },
    ...nullable('externalId', external_id),
  }),
  own: ({ imports, rolled_back }) => ({ codeVersion: '1', imports, ...nullable('rolledBack', rolled_back) }),
  live: ({ destinations }) => ({ destinations }),
};
