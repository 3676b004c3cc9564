import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { CliError } from '../core/errors.js';
import { confined } from '../core/inside.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';

const FILES = {
  'weir.yaml': `# A workspace of Weir as code. \`weir test\` tries the code, \`weir publish\` makes it live.
version: 1
transformations:
  - name: mask e-mail
    description: Hides e-mail addresses
    file: transformations/mask-e-mail.js
    events: transformations/mask-e-mail.events.json
libraries:
  - name: masks
    file: libraries/masks.js
`,
  'transformations/mask-e-mail.js': `import { masked } from 'masks';

export function transformEvent(event) {
  const traits = event.context?.traits;
  if (traits?.email) traits.email = masked(traits.email);
  return event;
}
`,
  'transformations/mask-e-mail.events.json': `[
  { "type": "track", "event": "Bought", "userId": "u1", "context": { "traits": { "email": "ada@example.com" } } }
]
`,
  'libraries/masks.js': `export const masked = (email) => email.replace(/^[^@]*/, '***');
`,
  '.gitignore': `.env
weir-report.xml
`,
} as const;

export const initCommands: CommandGroup = (program, cli) => {
  program
    .command('init [folder]')
    .summary('begin a folder of code and configuration')
    .description(
      'Writes a small project: weir.yaml, one transformation with a test event, and one library. It overwrites nothing.',
    )
    .addHelpText('after', examples('weir init', 'weir init my-events'))
    .action(cli.action(init));
};

async function init({ io, out, args }: Run): Promise<void> {
  const folder = resolve(io.cwd, args[0] ?? '.');
  const inTheWay = Object.keys(FILES).filter((file) => file !== '.gitignore' && existsSync(join(folder, file)));
  if (inTheWay.length > 0) {
    const verb = inTheWay.length === 1 ? 'is' : 'are';
    throw new CliError(`${inTheWay.join(', ')} ${verb} already there`, 'Name another folder after `weir init`.');
  }
  const written = Object.entries(FILES).filter(([file]) => !existsSync(join(folder, file)));
  for (const [file, text] of written) write(confined(join(folder, file), io), text);
  const name = relative(io.cwd, folder) || basename(folder);
  out.result({ folder, files: written.map(([file]) => file) }, ({ green }) =>
    [
      green(`✓ ${name} is a project of Weir now:`),
      ...readdirSync(folder).map((file) => `  ${file}`),
      `Next: ${folder === resolve(io.cwd) ? '' : `cd ${name}, `}weir login, then weir test.`,
    ].join('\n'),
  );
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new CliError(`${path} cannot be written: ${(error as Error).message}`, 'Name another folder.');
  }
}
