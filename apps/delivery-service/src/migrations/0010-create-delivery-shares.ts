import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Waiting bytes of DELIVERIES per destination and block of stream sequences. */
export class CreateDeliveryShares1764000000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE delivery_shares (
        destination_id text NOT NULL,
        block bigint NOT NULL,
        workspace_id text NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (destination_id, block)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE delivery_shares');
  }
}
