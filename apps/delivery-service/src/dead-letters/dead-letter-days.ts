import { Injectable } from '@nestjs/common';
import { Database } from '@weir/service-kit';
import { DayPartitions } from '../days/day-partitions.js';

/** Older dead letters are removed, because they serve repair, not archiving. */
const KEPT_DAYS = 30;

/** The daily partitions of `dead_letters`. */
@Injectable()
export class DeadLetterDays extends DayPartitions {
  constructor(database: Database) {
    super(database, 'dead_letters', KEPT_DAYS);
  }
}
