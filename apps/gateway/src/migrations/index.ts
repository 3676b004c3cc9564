import { CreateWorkspaces1764000000001 } from './0001-create-workspaces.js';
import { CreateInventory1764000000002 } from './0002-create-inventory.js';
import { AllowFetch1764000000003 } from './0003-allow-fetch.js';

/** In order. Never change a released migration. */
export const migrations = [CreateWorkspaces1764000000001, CreateInventory1764000000002, AllowFetch1764000000003];
