import { CreateRegistry1764000000001 } from './0001-create-registry.js';
import { CreateCredentials1764000000002 } from './0002-create-credentials.js';
import { KeepPublications1764000000003 } from './0003-keep-publications.js';
import { CreateTrials1764000000004 } from './0004-create-trials.js';
import { KeepRuntimes1764000000005 } from './0005-keep-runtimes.js';
import { NoteActs1764000000006 } from './0006-note-acts.js';
import { CreateSavedTests1764000000007 } from './0007-create-saved-tests.js';
import { SendByWorkspace1764000000008 } from './0008-send-by-workspace.js';

/** In order. Never change a released migration. */
export const migrations = [
  CreateRegistry1764000000001,
  CreateCredentials1764000000002,
  KeepPublications1764000000003,
  CreateTrials1764000000004,
  KeepRuntimes1764000000005,
  NoteActs1764000000006,
  CreateSavedTests1764000000007,
  SendByWorkspace1764000000008,
];
