import { type Database, Metrics } from '@weir/service-kit';
import { PurgeFence } from '../src/checks/purge-fence.js';
import { DeadLetterRepository } from '../src/dead-letters/dead-letter.repository.js';
import { DeadLetterBudget } from '../src/dead-letters/dead-letter-budget.js';
import { DeadLetterDays } from '../src/dead-letters/dead-letter-days.js';

const PLENTY = 10_000_000_000;

/** Dead letters as a process writes them that has not written yet. */
export const lettersIn = (database: Database, dayBytes = PLENTY, metrics = new Metrics('test')): DeadLetterRepository =>
  new DeadLetterRepository(
    database,
    new DeadLetterDays(database),
    new PurgeFence(database),
    new DeadLetterBudget(dayBytes, metrics),
  );
