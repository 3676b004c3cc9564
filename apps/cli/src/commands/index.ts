import type { CommandGroup } from '../core/run.js';
import { authCommands } from './auth.js';
import { codeCommands } from './code.js';
import { compareCommands } from './compare.js';
import { completionCommands } from './completion.js';
import { devCommands } from './dev.js';
import { doctorCommands } from './doctor.js';
import { exportCommands } from './export.js';
import { importCommands } from './import.js';
import { initCommands } from './init.js';
import { mcpCommands } from './mcp.js';
import { privacyCommands } from './privacy.js';
import { projectCommands } from './project.js';
import { receiptCommands } from './receipt.js';
import { replayCommands } from './replay.js';
import { replaysCommands } from './replays.js';
import { revisionCommands } from './revisions.js';
import { tailCommands } from './tail.js';
import { traceCommands } from './trace.js';
import { triggerCommands } from './trigger.js';
import { typesCommands } from './types.js';

/** Every group of commands, in the order of the help. A new file in this folder gets a line here. */
export const commandGroups: readonly CommandGroup[] = [
  authCommands,
  doctorCommands,
  initCommands,
  projectCommands,
  exportCommands,
  importCommands,
  compareCommands,
  devCommands,
  codeCommands,
  revisionCommands,
  tailCommands,
  traceCommands,
  triggerCommands,
  replayCommands,
  replaysCommands,
  typesCommands,
  privacyCommands,
  receiptCommands,
  mcpCommands,
  completionCommands,
];
