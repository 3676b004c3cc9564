import type { CodeNode } from '../gate/nodes.js';
import type { Kind, RevisionRow } from '../revisions/kind.js';
import { nullable } from '../rules/nullable.js';

export interface TransformationRow extends RevisionRow {
  destinations: string[];
}

interface Own {
  codeVersion: '1';
  imports: string[];
}

/** A transformation's name belongs to its revisions: it may change. */
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
  ],
  pointed: [],
  node: ({ id, version_id: versionId, name, external_id, imports }) => ({
    ...{ id, versionId, name, imports },
    ...nullable('externalId', external_id),
  }),
  own: ({ imports }) => ({ codeVersion: '1', imports }),
  live: ({ destinations }) => ({ destinations }),
};
