// `npm start`: says what is wrong before it builds anything, builds without a word about single projects, and starts the stack.
// It uses only what old versions of Node.js know, because it has to tell that they are too old.
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest version that every dependency accepts. `npm ci` puts one into node_modules/.bin for Linux and macOS. */
const NODE_MAJOR_MIN = 24;
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

function end(sentence) {
  console.error(sentence);
  process.exit(1);
}

function checkNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) return;
  end(
    `Weir runs on Node.js ${NODE_MAJOR_MIN} or later, and this is ${process.versions.node}: run npm ci, which brings one for Linux and macOS, or install it.`,
  );
}

/** The launcher checks more. A port that is taken is told here, before a build that may take a minute. */
function checkPort() {
  const port = Number(process.env.PORT || 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65535) return Promise.resolve();
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      if (error.code !== 'EADDRINUSE') return resolve();
      end(`Port ${port} is in use: end the program that holds it, or set PORT to another one.`);
    });
    server.listen(port, () => server.close(resolve));
  });
}

function build() {
  console.log('Building Weir. The first time takes a minute.');
  const nx = join(ROOT, 'node_modules/nx/dist/bin/nx.js');
  const built = spawnSync(process.execPath, [nx, 'run-many', '-t', 'build'], { cwd: ROOT, encoding: 'utf8' });
  if (built.signal) process.exit(0); // Ctrl-C ends the whole group
  if (built.status === 0) return;
  console.error(`${built.stdout}${built.stderr}`);
  end('Weir could not be built: the lines above say why.');
}

checkNode();
(process.argv.includes('--help') ? Promise.resolve() : checkPort())
  .then(build)
  .then(() => import('../deploy/local/dist/start.js'))
  .catch((error) => end(error.stack));
