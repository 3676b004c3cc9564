import { CreateWorkspaces1764000000001 } from './0001-create-workspaces.js';
import { CreateInventory1764000000002 } from './0002-create-inventory.js';
import { AllowFetch1764000000003 } from './0003-allow-fetch.js';
import { CompleteDestinations1764000000005 } from './0005-complete-destinations.js';
import { NameRoles1764000000006 } from './0006-name-roles.js';
import { NoteActs1764000000007 } from './0007-note-acts.js';
import { KeepWriteKeys1764000000008 } from './0008-keep-write-keys.js';
import { ConsoleSessions1764000000010 } from './0010-console-sessions.js';
import { OperatorSessions1764000000011 } from './0011-operator-sessions.js';
import { SpreadSources1764000000012 } from './0012-spread-sources.js';
import { SendByWorkspace1764000000013 } from './0013-send-by-workspace.js';

/** In order. Never change a released migration. */
export const migrations = [
  CreateWorkspaces1764000000001,
  CreateInventory1764000000002,
  AllowFetch1764000000003,
  CompleteDestinations1764000000005,
  NameRoles1764000000006,
  NoteActs1764000000007,
  KeepWriteKeys1764000000008,
  ConsoleSessions1764000000010,
  OperatorSessions1764000000011,
  SpreadSources1764000000012,
  SendByWorkspace1764000000013,
];
