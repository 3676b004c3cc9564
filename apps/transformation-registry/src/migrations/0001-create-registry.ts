import { OUTBOX_TABLE_SQL } from '@weir/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every key begins with the workspace, so that no reference can cross tenants. */
export class CreateRegistry1764000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of [...TRANSFORMATIONS, ...LIBRARIES, ...HISTORY, ...RELEASES]) await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP TABLE ${table}`);
    await queryRunner.query('DROP SEQUENCE release_numbers');
    await queryRunner.query('DROP FUNCTION refuse_change');
  }
}

const TRANSFORMATIONS = [
  `CREATE TABLE transformations (
    workspace_id text NOT NULL,
    id text NOT NULL,
    -- order of creation
    position bigint GENERATED ALWAYS AS IDENTITY,
    language text NOT NULL,
    external_id text,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    -- set by a delete, cleared when a revision is published again
    deleted_at timestamptz,
    PRIMARY KEY (workspace_id, id)
  )`,
  `CREATE TABLE transformation_revisions (
    workspace_id text NOT NULL,
    version_id text NOT NULL,
    transformation_id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    description text NOT NULL,
    code text NOT NULL,
    imports text[] NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, version_id),
    UNIQUE (workspace_id, transformation_id, version_id),
    FOREIGN KEY (workspace_id, transformation_id) REFERENCES transformations (workspace_id, id)
  )`,
  `CREATE INDEX transformation_revisions_listed
    ON transformation_revisions (workspace_id, transformation_id, position)`,
  `CREATE TABLE published_transformations (
    workspace_id text NOT NULL,
    transformation_id text NOT NULL,
    version_id text NOT NULL,
    published_by text NOT NULL,
    published_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, transformation_id),
    FOREIGN KEY (workspace_id, transformation_id, version_id)
      REFERENCES transformation_revisions (workspace_id, transformation_id, version_id)
  )`,
];

const LIBRARIES = [
  `CREATE TABLE libraries (
    workspace_id text NOT NULL,
    id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    import_name text NOT NULL,
    language text NOT NULL,
    external_id text,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, id, import_name)
  )`,
  `CREATE TABLE library_revisions (
    workspace_id text NOT NULL,
    version_id text NOT NULL,
    library_id text NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    description text NOT NULL,
    code text NOT NULL,
    imports text[] NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, version_id),
    UNIQUE (workspace_id, library_id, version_id),
    FOREIGN KEY (workspace_id, library_id) REFERENCES libraries (workspace_id, id)
  )`,
  'CREATE INDEX library_revisions_listed ON library_revisions (workspace_id, library_id, position)',
  `CREATE TABLE published_libraries (
    workspace_id text NOT NULL,
    library_id text NOT NULL,
    import_name text NOT NULL,
    version_id text NOT NULL,
    published_by text NOT NULL,
    published_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, library_id),
    UNIQUE (workspace_id, import_name),
    FOREIGN KEY (workspace_id, library_id, import_name) REFERENCES libraries (workspace_id, id, import_name),
    FOREIGN KEY (workspace_id, library_id, version_id)
      REFERENCES library_revisions (workspace_id, library_id, version_id)
  )`,
];

/** Revisions are never changed or deleted (spec section 3). Triggers enforce this against any later query. */
const HISTORY = [
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'revisions are append-only: % of % refused', TG_OP, TG_TABLE_NAME; END $$`,
  ...['transformation_revisions', 'library_revisions'].map(
    (table) => `CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  ),
];

const RELEASES = [
  `CREATE TABLE destination_links (
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    transformation_id text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- one transformation per destination
    PRIMARY KEY (workspace_id, destination_id),
    FOREIGN KEY (workspace_id, transformation_id)
      REFERENCES published_transformations (workspace_id, transformation_id)
  )`,
  'CREATE INDEX destination_links_transformation ON destination_links (workspace_id, transformation_id)',
  `CREATE TABLE destination_releases (
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    -- both null once nothing is linked any more
    transformation_id text,
    version_id text,
    library_version_ids text[] NOT NULL,
    release bigint NOT NULL UNIQUE,
    PRIMARY KEY (workspace_id, destination_id)
  )`,
  'CREATE SEQUENCE release_numbers',
  OUTBOX_TABLE_SQL,
];

const TABLES = [
  'outbox',
  'destination_releases',
  'destination_links',
  'published_libraries',
  'library_revisions',
  'libraries',
  'published_transformations',
  'transformation_revisions',
  'transformations',
];
