import { describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { useDatabase } from '../src/index.js';

class CreateThings1764000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE things (id int PRIMARY KEY)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE things');
  }
}

describe('useDatabase', () => {
  const registry = useDatabase('registry', [CreateThings1764000000001]);
  const runner = useDatabase('runner', [CreateThings1764000000001]);

  it('migrates the schema and finds its tables without a prefix', async () => {
    await registry.dataSource.query('INSERT INTO things VALUES (1)');
    expect(await registry.dataSource.query('SELECT id FROM registry.things')).toEqual([{ id: 1 }]);
  });

  it('gives each use a database of its own', async () => {
    expect(await runner.dataSource.query('SELECT id FROM things')).toEqual([]);
    await expect(runner.dataSource.query('SELECT id FROM registry.things')).rejects.toThrow(/does not exist/);
  });

  it('connects as a role without rights beyond its schema', async () => {
    await expect(registry.dataSource.query('CREATE TABLE public.things (id int)')).rejects.toThrow(/permission denied/);
    await expect(registry.dataSource.query('CREATE ROLE another')).rejects.toThrow(/permission denied/);
  });
});
