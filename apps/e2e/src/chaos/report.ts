import { timelineOf } from '../history/check.js';
import type { PlannedRound } from './plan.js';
import type { Round } from './round.js';

/** Violations of one round that are told. */
const SHOWN_MAX = 20;

export const isBroken = ({ violations, isAtRest }: Round): boolean => violations.length > 0 || !isAtRest;

export function show({ name, seed, title }: PlannedRound, round: Round): void {
  const { sent, fates, repeated, violations, restSeconds, isAtRest, waiting, lines, file } = round;
  const figures = { sent, ...fates, repeated, restSeconds, violations: violations.length };
  console.log(`${name}, seed ${seed}, ${title}${isBroken(round) ? ' BROKEN' : ''}: ${JSON.stringify(figures)}`);
  if (!isAtRest) console.log(`  not at rest: ${JSON.stringify(waiting)}`);
  const [earliest] = violations;
  if (!earliest) return;
  for (const { rule, event, user, workspace, says } of violations.slice(0, SHOWN_MAX)) {
    console.log(`  ${rule}: ${event ?? ''} ${workspace ?? ''} ${user ?? ''} ${says}`);
  }
  console.log(`history: ${file}\n${timelineOf(lines, earliest)}`);
}

/** The figures of rounds with the same faults. */
interface Row {
  rounds: number;
  sent: number;
  delivered: number;
  repeated: number;
  /** Longest time to come to rest. */
  restSeconds: number;
  violations: number;
  notAtRest: number;
}

/** The figures of all rounds, as a table for a page of evidence. */
export class Report {
  private readonly rows = new Map<string, Row>();

  add({ title }: PlannedRound, { sent, fates, repeated, restSeconds, violations, isAtRest }: Round): void {
    const row = this.rows.get(title);
    this.rows.set(title, {
      rounds: (row?.rounds ?? 0) + 1,
      sent: (row?.sent ?? 0) + sent,
      delivered: (row?.delivered ?? 0) + (fates['delivered'] ?? 0),
      repeated: (row?.repeated ?? 0) + repeated,
      restSeconds: Math.max(row?.restSeconds ?? 0, restSeconds),
      violations: (row?.violations ?? 0) + violations.length,
      notAtRest: (row?.notAtRest ?? 0) + (isAtRest ? 0 : 1),
    });
  }

  print(): void {
    console.log('| fault | rounds | sent | delivered | repeated | longest rest (s) | violations | not at rest |');
    console.log('| - | - | - | - | - | - | - | - |');
    for (const [title, row] of this.rows) console.log(`| ${title} | ${Object.values(row).join(' | ')} |`);
  }
}
