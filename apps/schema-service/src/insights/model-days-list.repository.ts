import { Injectable } from '@nestjs/common';
import { MODEL_DAYS_MAX, type ModelDays } from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { type ModelFilter, scopeOf } from '../models/models.repository.js';
import { keyset } from '../sql/keyset.js';

/** Models per page. With all their days they fit one message. */
const PAGE_SIZE = 200;

/** Reads the events of models by day. */
@Injectable()
export class ModelDaysListRepository {
  constructor(private readonly database: Database) {}

  /** One page of models by id, each with its days, oldest first. Days without events are left out. */
  async list(filter: ModelFilter, after = 0): Promise<{ models: ModelDays[]; next?: number }> {
    const { where, order, parameters } = keyset('models', scopeOf(filter), after);
    const [daysPlace, limitPlace] = [`$${parameters.length + 1}::int`, `$${parameters.length + 2}::int`];
    const { rows } = await this.database.run<ModelDays & { id: number }>(
      `SELECT models.id::float8 AS id, event_id AS "EventID", "Days"
       FROM models CROSS JOIN LATERAL (
         SELECT coalesce(json_agg(json_build_object('Day', day, 'Events', events) ORDER BY day), '[]') AS "Days"
         FROM model_days
         WHERE model_days.event_id = models.event_id AND day > (now() AT TIME ZONE 'UTC')::date - ${daysPlace}
       ) AS counted
       WHERE ${where} ORDER BY ${order} LIMIT ${limitPlace} + 1`,
      [...parameters, MODEL_DAYS_MAX, PAGE_SIZE],
    );
    const page = rows.slice(0, PAGE_SIZE);
    const last = page.at(-1);
    const models = page.map(({ EventID, Days }) => ({ EventID, Days }));
    return { models, ...(last && rows.length > page.length && { next: last.id }) };
  }
}
