import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDeliveryProgress1764000000005 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE delivery_progress (
        destination_id text NOT NULL,
        batch_id text NOT NULL,
        -- positions of events in the batch; others of the same message are still to be delivered
        done integer[] NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (destination_id, batch_id)
      )`);
    await queryRunner.query('CREATE INDEX delivery_progress_age ON delivery_progress (updated_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE delivery_progress');
  }
}
