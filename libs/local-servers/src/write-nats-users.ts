import { writeFileSync } from 'node:fs';
import { natsUsersFile } from './nats-users.js';

/** `npm run nats-users`: updates the files that charts and compose files use, in these folders: `users.conf` and `users-archive.conf`. */
for (const path of process.argv.slice(2)) {
  writeFileSync(`${path}.conf`, natsUsersFile({ archive: false }));
  writeFileSync(`${path}-archive.conf`, natsUsersFile({ archive: true }));
}
