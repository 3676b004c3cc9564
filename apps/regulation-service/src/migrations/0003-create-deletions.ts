import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDeletions1764000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The events that have to drain before the deletions of one request may begin. Positions are sequences of the event streams.
    await runner.query(`
      CREATE TABLE deletion_barriers (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now(),
        raw_position bigint,
        accepted_position bigint,
        -- every event of before has been handed to the deliveries and the statistics
        drained_at timestamptz,
        passed_at timestamptz
      )`);
    await runner.query('CREATE INDEX deletion_barriers_open ON deletion_barriers (id) WHERE passed_at IS NULL');
    await runner.query(`
      CREATE TABLE deletion_tasks (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        workspace_id text NOT NULL,
        regulation_id uuid NOT NULL REFERENCES regulations (id),
        barrier_id bigint NOT NULL REFERENCES deletion_barriers (id),
        -- a destination, or 'internal:…' for what Weir itself keeps
        destination_id text NOT NULL,
        destination_type text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CHECK (status IN
          ('pending', 'running', 'forwarded', 'complete', 'failed', 'aborted', 'not_supported', 'canceled')),
        attempts integer NOT NULL DEFAULT 0,
        reason text,
        -- when somebody has to work on it (again); for a running task the end of its lease; NULL: not before the barrier, or ended
        due_at timestamptz,
        lease_owner uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (regulation_id, destination_id)
      )`);
    await runner.query(
      'CREATE INDEX deletion_tasks_due ON deletion_tasks (destination_id, due_at) WHERE due_at IS NOT NULL',
    );
    await runner.query(`CREATE INDEX deletion_tasks_waiting ON deletion_tasks (barrier_id) WHERE status = 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deletion_tasks, deletion_barriers');
  }
}
