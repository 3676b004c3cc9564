import { writeFileSync } from 'node:fs';
import { natsUsersFile } from './nats-users.js';

/** `npm run nats-users`: brings the file that charts and compose files use up to date. */
for (const path of process.argv.slice(2)) writeFileSync(path, natsUsersFile());
