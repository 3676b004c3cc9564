import { writeFileSync } from 'node:fs';
import { natsUsersFile } from './nats-users.js';

/** `npm run nats-users`: updates the file that charts and compose files use. */
for (const path of process.argv.slice(2)) writeFileSync(path, natsUsersFile());
