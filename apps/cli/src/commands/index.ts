import type { CommandGroup } from '../core/run.js';
import { authCommands } from './auth.js';
import { completionCommands } from './completion.js';
import { doctorCommands } from './doctor.js';
import { exportCommands } from './export.js';
import { initCommands } from './init.js';
import { projectCommands } from './project.js';

/** Every group of commands, in the order of the help. A new file in this folder gets a line here. */
export const commandGroups: readonly CommandGroup[] = [
  authCommands,
  doctorCommands,
  initCommands,
  projectCommands,
  exportCommands,
  completionCommands,
];
