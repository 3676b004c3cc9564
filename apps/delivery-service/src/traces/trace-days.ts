import { Injectable } from '@nestjs/common';
import { TRACES_KEPT_DAYS } from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { DayPartitions } from '../days/day-partitions.js';

/** The daily partitions of `traces`. */
@Injectable()
export class TraceDays extends DayPartitions {
  constructor(database: Database) {
    super(database, 'traces', TRACES_KEPT_DAYS);
  }
}
